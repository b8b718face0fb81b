import type { OutboxOperation } from '../../server/contract/outbox.ts';

/** A change of the outbox that waits: the publish of `@acme/tool@1.0.0`, but for what `more` says. */
export const outboxOperation = (more: Partial<OutboxOperation> = {}): OutboxOperation => ({
  changeId: 7,
  kind: 'publish',
  at: 0,
  projectId: 1,
  name: '@acme/tool',
  version: '1.0.0',
  tag: null,
  message: null,
  verdict: 'new',
  here: null,
  there: null,
  explanation: '',
  state: 'waiting',
  attempts: 0,
  error: null,
  settledAt: null,
  ...more,
});
