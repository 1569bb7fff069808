"""The shipped library, loaded; and people of the office."""

import pytest

from rules.services.library import load_library
from tests.conftest import client_of
from tests.factories import PersonFactory


@pytest.fixture
def library(db):
    """Return what loading the shipped library did."""
    return load_library(by="tests")


@pytest.fixture
def office_client(db):
    """Return a client signed in as somebody of the sanctioning office."""
    return client_of(PersonFactory(name="Otto Office", is_office=True))


@pytest.fixture
def other_client(db):
    """Return a client signed in as somebody who is not of the office."""
    return client_of(PersonFactory())
