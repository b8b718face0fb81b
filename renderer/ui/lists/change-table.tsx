import { PathText } from '../text/path-text.tsx';
import './change-table.css';

/** What it is, and its value on both sides of the change. */
export type ChangeRow = readonly [what: string, before: string, after: string];

interface ChangeTableProps {
  label: string;
  heads: ChangeRow;
  rows: readonly ChangeRow[];
  /** Names and versions, which stand in the font of code. */
  mono?: boolean;
}

/** What was beside what came or will come; rows that differ stand out, and an empty value is a dash. */
export function ChangeTable({ label, heads, rows, mono = false }: ChangeTableProps) {
  return (
    <table className="gh-change-table" aria-label={label}>
      <thead>
        <tr>
          {heads.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className={mono ? 'gh-mono' : undefined}>
        {rows.map(([what, before, after]) => (
          <tr key={what} data-changed={before !== after || undefined}>
            <th scope="row">
              <PathText path={what} />
            </th>
            <td>
              <PathText path={before === '' ? '–' : before} />
            </td>
            <td>
              <PathText path={after === '' ? '–' : after} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
