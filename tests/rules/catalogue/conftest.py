"""The shipped library, loaded; and clients of the sanctioning office and of others."""

import pytest

from tests.conftest import client_of
from tests.factories import PersonFactory

from .shipped import loaded_library


@pytest.fixture
def library(db):
    """Return the outcome of loading the shipped library."""
    return loaded_library()


@pytest.fixture
def office_client(db):
    """Return a client signed in as a member of the sanctioning office."""
    return client_of(PersonFactory(name="Otto Office", is_office=True))


@pytest.fixture
def other_client(db):
    """Return a client signed in as a person outside the sanctioning office."""
    return client_of(PersonFactory())
