import { Button } from '@mantine/core';
import type { OutboxOperation } from '../../../../server/contract/outbox.ts';
import { chipColumn, timeColumn, wideColumn } from '../../../ui/lists/columns.tsx';
import { TailText } from '../../../ui/text/tail-text.tsx';
import type { Column } from '../../../ui/lists/virtual-table.tsx';
import { markOf, needsDecision, operationText } from './outbox-text.ts';

/** The columns of what waits and of what was sent. */
export function outboxColumns(
  pathOf: (projectId: number) => string,
  resolve: (operation: OutboxOperation) => void,
): Column<OutboxOperation>[] {
  return [
    chipColumn('Status', '92px', markOf),
    wideColumn('Change', (operation) => (
      <>
        <div className="gh-row">
          <strong className="gh-outbox-name gh-mono gh-truncate">
            <TailText text={operation.name} tail={16} />
          </strong>
          <span className="gh-truncate">{operationText(operation)}</span>
        </div>
        <div className="gh-faint gh-small gh-truncate">
          {operation.error || operation.explanation || pathOf(operation.projectId)}
        </div>
      </>
    )),
    timeColumn('Changed here', '112px', (operation) => operation.at, { align: 'end', hideBelow: 640 }),
    {
      key: 'resolve',
      label: 'Resolve',
      labelHidden: true,
      width: '76px',
      align: 'end',
      cell: (operation) =>
        needsDecision(operation) ? (
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
