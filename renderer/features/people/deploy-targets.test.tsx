import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { DeployTarget } from '../../../server/contract/environments.ts';
import { targetCells, targetRows } from './deploy-targets.tsx';

it('does not name a user as the source of his or her own right to deploy', () => {
  const target = {
    environment: 'production',
    project: { id: 1, fullPath: 'local/packages' },
    reason: 'The rule for Ann lets @ann deploy to production.',
    rule: { kind: 'user', groupId: null, description: 'Ann', detail: '@ann' },
  } as unknown as DeployTarget;
  render(
    <MantineProvider env="test">{targetRows([target]).map((row) => targetCells['Source']?.(row))}</MantineProvider>,
  );
  expect(screen.getByText('Named in a rule')).toBeTruthy();
});
