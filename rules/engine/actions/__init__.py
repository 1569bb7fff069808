"""Players' actions and questions: granting, moving, attacking, free actions, turns."""
