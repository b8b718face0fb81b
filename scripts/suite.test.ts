import { describe, expect, it } from 'vitest';
import { tallyPlaywright, tallyVitest } from './suite.ts';

describe('adding up the suites', () => {
  it('counts skipped tests and broken files of Vitest as failures', () => {
    const report = {
      numPassedTests: 5,
      numFailedTests: 1,
      numPendingTests: 1,
      numTodoTests: 0,
      testResults: [
        { status: 'failed', assertionResults: [{}] },
        { status: 'failed', assertionResults: [] },
      ],
    };
    expect(tallyVitest(report)).toEqual({ passed: 5, failed: 3 });
  });

  it('counts skipped and flaky tests of Playwright as failures', () => {
    const report = { stats: { expected: 4, unexpected: 1, flaky: 1, skipped: 1 }, errors: [] };
    expect(tallyPlaywright(report)).toEqual({ passed: 4, failed: 3 });
  });
});
