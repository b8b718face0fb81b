import { describe, expect, it } from 'vitest';
import { contentSecurityPolicy } from './content-security-policy.ts';

describe('the content security policy', () => {
  const policy = contentSecurityPolicy('abc');

  it('starts from nothing and lets nothing out', () => {
    expect(policy).toMatch(/^default-src 'none';/);
    expect(policy).toContain(`connect-src 'none'`);
  });

  it('never allows inline scripts, eval or other hosts', () => {
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(policy).toContain(`script-src 'self';`);
  });
});
