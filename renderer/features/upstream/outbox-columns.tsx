import { Button } from '@mantine/core';
import type { OutboxOperation } from '../../../server/contract/upstream.ts';
import { Chip } from '../../ui/chip.tsx';
import { Moment } from '../../ui/moment.tsx';
import type { Column } from '../../ui/virtual-table.tsx';
import { markOf, needsDecision, operationText } from './outbox-text.ts';

/** The columns of a plan (what would happen) or of a push (what did). */
export function outboxColumns(
  view: 'plan' | 'push',
  decide: (operation: OutboxOperation) => void,
): Column<OutboxOperation>[] {
  return [
    {
      key: 'mark',
      label: view === 'plan' ? 'Compared' : 'State',
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
          <div className="gh-stacked">
            <div className="gh-package-name">
              <span className="gh-mono gh-truncate">{operation.name}</span>
              <span className="gh-truncate">{operationText(operation)}</span>
            </div>
            {detail === '' ? null : (
              <div className="gh-faint gh-truncate" title={detail}>
                {detail}
              </div>
            )}
          </div>
        );
      },
    },
    {
      key: 'at',
      label: 'Made here',
      width: '112px',
      align: 'end',
      hideBelow: 640,
      cell: (operation) => (
        <span className="gh-muted">
          <Moment time={operation.at} />
        </span>
      ),
    },
    {
      key: 'decide',
      label: 'Decide',
      labelHidden: true,
      width: '76px',
      align: 'end',
      cell: (operation) =>
        view === 'push' && needsDecision(operation) ? (
          <Button
            variant="default"
            size="compact-xs"
            aria-label={`Decide: ${operationText(operation)} of ${operation.name}`}
            onClick={(event) => {
              event.stopPropagation();
              decide(operation);
            }}
          >
            Decide…
          </Button>
        ) : null,
    },
  ];
}
