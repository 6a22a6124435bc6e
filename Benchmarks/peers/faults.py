"""What goes wrong with an agent."""


class AgentFault(Exception):
    """The agent ended, or does not do what it should."""
