import { VisuallyHidden } from '@mantine/core';
import { countsText } from '../../../server/contract/outbox-words.ts';
import { useUnsent } from '../../api/upstream.ts';
import { formatCount } from '../../ui/text/format.ts';
import './unsent-mark.css';

/** How many changes wait to be sent to other registries and, apart from these, how many need a person; nothing for none. */
export function UnsentMark() {
  const counts = useUnsent();
  const stopped = counts.conflicts + counts.failed;
  const text = countsText(counts);
  if (text === '') return null;
  return (
    <span className="gh-unsent" data-tip={text} data-stopped={stopped > 0 || undefined}>
      {counts.toSend > 0 ? <span aria-hidden="true">{formatCount(counts.toSend)}</span> : null}
      {stopped > 0 ? (
        <span className="gh-unsent-stopped" aria-hidden="true">
          {formatCount(stopped)}
        </span>
      ) : null}
      <VisuallyHidden> {text}</VisuallyHidden>
    </span>
  );
}
