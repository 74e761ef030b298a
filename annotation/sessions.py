"""Who is signed in, asked for every page: sessions in the database, and the person behind one."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.backends import ModelBackend
from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.db.models import QuerySet
from django.utils import timezone

from annotation.models import User
from annotation.prepared import prepared


class SessionStore(db.SessionStore):
    """Django's sessions, read by a query that is put into SQL once."""

    def _get_session_from_db(self) -> Session | None:
        found = _sessions(key=str(self.session_key))
        if found and found[0].expire_date > timezone.now():
            return found[0]
        self._session_key = None
        return None


class Accounts(ModelBackend):
    """Django's accounts with a password, read by a query that is put into SQL once."""

    def get_user(self, user_id: Any) -> User | None:
        found = _users(pk=int(user_id))
        return found[0] if found and self.user_can_authenticate(found[0]) else None


@prepared()
def _sessions(*, key: str) -> QuerySet[Session, Session]:
    return Session.objects.filter(session_key=key)


@prepared()
def _users(*, pk: int) -> QuerySet[User, User]:
    return User.objects.filter(pk=pk)
