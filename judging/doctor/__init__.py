"""`doctor`: what is wrong with this installation, in plain words. Each module here examines one part of it.

An examination is a function that yields diagnoses. None of them changes anything or prints a secret, and one that
fails is a diagnosis itself: `doctor` never ends in a traceback.
"""

from judging.doctor.diagnoses import Diagnosis, Examination, Level, examined

__all__ = ["Diagnosis", "Examination", "Level", "examined"]
