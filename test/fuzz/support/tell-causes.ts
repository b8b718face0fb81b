import fc from 'fast-check';

/* The report of a run has only the message of an error, so it says what was tried and what came of it. */
fc.configureGlobal({ includeErrorInReport: true });
