/// Speech and language models on this machine.
public enum RunAnywhere {}
