import { useVirtualizer } from '@tanstack/react-virtual';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useMemo, useRef, useState } from 'react';
import { plural } from '../../../ui/text/format.ts';
import { diffRows, type DiffLine, type DiffRow } from './diff-rows.ts';
import { highlightLines } from './highlight.ts';
import { markHtml } from './mark-html.ts';
import './code-view.css';
import '../readme/readme.css';

const lineHeight = 20;

/** A line with its escaped HTML, or the button in place of lines that are the same in both. */
type Line =
  | { kind: DiffLine['kind']; before: number | null; after: number | null; html: string }
  | { kind: 'gap'; gap: number; count: number; isOpen: boolean };

interface CodeViewProps {
  path: string;
  text: string;
  /** The same file in the version it is compared with. */
  base?: string;
}

/** A file, or what changed in it. Only the lines in sight are drawn. Loaded on demand, hence the default export. */
export default function CodeView({ path, text, base }: CodeViewProps) {
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(new Set());
  const compared = useMemo(() => (base === undefined ? undefined : compare(base, text, path)), [base, text, path]);
  const lines = useMemo(
    () => (base === undefined ? plainLines(text, path) : compared && shownLines(compared, unfolded)),
    [base, compared, text, path, unfolded],
  );
  const digits = useMemo(() => String(Math.max(lineCount(base ?? ''), lineCount(text))).length, [base, text]);
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: lines?.length ?? 0,
    getScrollElement: () => scroller.current,
    estimateSize: () => lineHeight,
    // The height that a wrapped line was measured with stays its own when lines above it are folded.
    getItemKey: (index) => keyOf(lines?.[index]),
    overscan: 30,
  });
  if (lines === undefined) {
    return <p className="gh-readme-empty">These files differ too much to be compared line by line.</p>;
  }
  const toggle = (gap: number) =>
    setUnfolded(new Set(unfolded.has(gap) ? [...unfolded].filter((each) => each !== gap) : [...unfolded, gap]));
  return (
    <div ref={scroller} className="gh-code" tabIndex={0} role="region" aria-label={path}>
      <div
        className="gh-code-lines"
        style={{ height: virtualizer.getTotalSize(), '--gh-line-digits': digits } as React.CSSProperties}
      >
        {virtualizer.getVirtualItems().map((item) => {
          const line = lines[item.index];
          if (line === undefined) return null;
          const style = { transform: `translateY(${item.start}px)` };
          if (line.kind === 'gap') {
            const Icon = line.isOpen ? IconChevronDown : IconChevronRight;
            return (
              <button
                key={item.key}
                ref={virtualizer.measureElement}
                data-index={item.index}
                type="button"
                className="gh-code-line gh-code-gap"
                aria-expanded={line.isOpen}
                style={style}
                onClick={() => toggle(line.gap)}
              >
                <Icon size={13} aria-hidden="true" />
                {plural(line.count, 'unchanged line')}
              </button>
            );
          }
          return (
            <div
              key={item.key}
              ref={virtualizer.measureElement}
              data-index={item.index}
              className="gh-code-line"
              data-kind={line.kind}
              style={style}
            >
              {base === undefined ? null : <span className="gh-code-number">{line.before}</span>}
              <span className="gh-code-number">{line.after}</span>
              {base === undefined ? null : <span className="gh-code-sign">{signs[line.kind]}</span>}
              <span dangerouslySetInnerHTML={{ __html: line.html }} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

const keyOf = (line: Line | undefined): string =>
  line === undefined ? '' : line.kind === 'gap' ? `gap ${line.gap}` : `${line.before} ${line.after}`;

const lineCount = (text: string): number => text.split('\n').length;

const signs = { same: ' ', added: '+', removed: '−' } as const;

function plainLines(text: string, path: string): Line[] {
  const lines = highlightLines(text, path);
  if (lines.at(-1) === '' && text.endsWith('\n')) lines.pop();
  return lines.map((html, index) => ({ kind: 'same', before: null, after: index + 1, html }));
}

interface Comparison {
  rows: readonly DiffRow[];
  htmlOf: (line: DiffLine) => string;
}

function compare(base: string, text: string, path: string): Comparison | undefined {
  const rows = diffRows(base, text);
  if (rows === undefined) return undefined;
  // Each side is coloured as a whole, since a comment or a string may have begun in a line that is folded.
  const before = highlightLines(base, path);
  const after = highlightLines(text, path);
  const htmlOf = (line: DiffLine) => {
    const html = line.kind === 'removed' ? before[(line.before ?? 1) - 1] : after[(line.after ?? 1) - 1];
    return markHtml(html ?? '', line.marks ?? []);
  };
  return { rows, htmlOf };
}

/** The rows with the lines of the gaps that are open, each gap known by its index. */
function shownLines({ rows, htmlOf }: Comparison, unfolded: ReadonlySet<number>): Line[] {
  const lineOf = (line: DiffLine): Line => ({
    kind: line.kind,
    before: line.before,
    after: line.after,
    html: htmlOf(line),
  });
  return rows.flatMap((row, index): Line[] => {
    if (row.kind !== 'gap') return [lineOf(row)];
    const isOpen = unfolded.has(index);
    const button: Line = { kind: 'gap', gap: index, count: row.lines.length, isOpen };
    return isOpen ? [button, ...row.lines.map(lineOf)] : [button];
  });
}
