import { Button } from '@mantine/core';
import type { OutboxOperation } from '../../../server/contract/upstream.ts';
import { Chip } from '../../ui/chip.tsx';
import { timeColumn } from '../../ui/columns.tsx';
import type { Column } from '../../ui/virtual-table.tsx';
import { markOf, needsDecision, operationText } from './outbox-text.ts';

/** The columns of a plan (what would be sent) or of a push (what was). */
export function outboxColumns(
  view: 'plan' | 'push',
  resolve: (operation: OutboxOperation) => void,
): Column<OutboxOperation>[] {
  return [
    {
      key: 'mark',
      label: 'Status',
      width: '92px',
      cell: (operation) => {
        const { label, tone } = markOf(operation, view);
        return <Chip tone={tone}>{label}</Chip>;
      },
    },
    {
      key: 'what',
      label: 'Change',
      width: 'minmax(0, 1fr)',
      cell: (operation) => {
        const detail = (view === 'push' ? operation.error : null) ?? operation.explanation;
        return (
          <>
            <div className="gh-row">
              <strong className="gh-mono gh-truncate">{operation.name}</strong>
              <span className="gh-truncate">{operationText(operation)}</span>
            </div>
            <div className="gh-faint gh-small gh-truncate" title={detail}>
              {detail}
            </div>
          </>
        );
      },
    },
    timeColumn('Changed here', (operation) => operation.at, { width: '112px', hideBelow: 640 }),
    {
      key: 'resolve',
      label: 'Resolve',
      labelHidden: true,
      width: '76px',
      align: 'end',
      cell: (operation) =>
        view === 'push' && needsDecision(operation) ? (
          <Button
            variant="default"
            size="compact-xs"
            aria-label={`Resolve: ${operationText(operation)} of ${operation.name}`}
            onClick={(event) => {
              event.stopPropagation();
              resolve(operation);
            }}
          >
            Resolve…
          </Button>
        ) : null,
    },
  ];
}
