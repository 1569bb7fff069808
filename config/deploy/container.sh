#!/bin/sh
# What a container starts: upgrade the database (after a backup of what it holds), then serve.
set -eu
: "${SITE_URL:?Set SITE_URL to the address at which phones open the site, for example http://192.168.1.10:8000}"
headjudge migrate --verbosity 0
exec headjudge serve --lan --port 8000
