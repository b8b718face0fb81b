import { describe, expect, it } from 'vitest';
import { sandboxHint } from './sandbox-hint.ts';

describe('the hint about the sandbox', () => {
  it('names the helper of this Electron where namespaces are restricted', () => {
    const hint = sandboxHint({ namespacesRestricted: true, helperIsSetUid: false }, '/opt/electron');
    expect(hint).toContain('sudo chmod 4755 "/opt/electron/chrome-sandbox"');
  });

  it('is silent where the sandbox can be built', () => {
    expect(sandboxHint({ namespacesRestricted: false, helperIsSetUid: false }, '/e')).toBeNull();
    expect(sandboxHint({ namespacesRestricted: true, helperIsSetUid: true }, '/e')).toBeNull();
  });
});
