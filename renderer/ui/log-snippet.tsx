import { readLogLine } from './log-line.ts';
import { Snippet } from './snippet.tsx';

/** The last lines of the server's log, told for people and copied as they are. */
export function LogSnippet({ lines }: { lines: readonly string[] }) {
  return (
    <Snippet
      title="Last lines of the log"
      code={lines.map(readLogLine).join('\n')}
      copied={lines.join('\n')}
      copyLabel="Copy the log"
    />
  );
}
