import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { EnvironmentTarget } from '../../../server/contract/environments.ts';
import { renderInWindow } from '../../test/render-in-window.tsx';
import { targetCells, targetRows } from './environment-targets.tsx';

afterEach(cleanup);

const target = {
  environment: 'production',
  project: { id: 1, fullPath: 'local/packages' },
  right: 'deploy',
  reason: 'The rules of production allow @ann by name.',
  rule: { kind: 'user', groupId: null, description: 'Ann', detail: '@ann' },
} as unknown as EnvironmentTarget;

it('does not name a user as the source of his or her own right to deploy', () => {
  renderInWindow(targetRows([target]).map((row) => <div key={row.key}>{targetCells['Source']?.(row)}</div>));
  expect(screen.getByText('Named in a rule')).toBeTruthy();
});

it('says of each environment whether the user may deploy or approve there', () => {
  const rows = targetRows([target, { ...target, right: 'approve' }]);
  expect(new Set(rows.map(({ key }) => key)).size).toBe(2);
  const { container } = renderInWindow(rows.map((row) => <div key={row.key}>{targetCells['Role']?.(row)}</div>));
  expect([...container.querySelectorAll('div p')].map(({ textContent }) => textContent)).toEqual([
    'May deploy',
    'May approve',
  ]);
});
