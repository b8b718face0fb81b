import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef } from 'react';
import { plural } from '../../../ui/text/format.ts';
import { diffRows, type DiffRow } from './diff-rows.ts';
import { highlightLines } from './highlight.ts';
import './code-view.css';
import '../readme/readme.css';

const lineHeight = 20;

interface Line {
  kind: DiffRow['kind'];
  before: number | null;
  after: number | null;
  /** Escaped. */
  html: string;
}

interface CodeViewProps {
  path: string;
  text: string;
  /** The same file in the version it is compared with. */
  base?: string;
}

/** A file, or what changed in it. Only the lines in sight are drawn. Loaded on demand, hence the default export. */
export default function CodeView({ path, text, base }: CodeViewProps) {
  const lines = useMemo(
    () => (base === undefined ? plainLines(text, path) : comparedLines(base, text, path)),
    [base, text, path],
  );
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: lines?.length ?? 0,
    getScrollElement: () => scroller.current,
    estimateSize: () => lineHeight,
    overscan: 30,
  });
  if (lines === undefined) {
    return <p className="gh-readme-empty">The two have too little in common to be compared line by line.</p>;
  }
  const compared = base !== undefined;
  return (
    <div ref={scroller} className="gh-code" tabIndex={0} role="region" aria-label={path}>
      <div className="gh-code-lines" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map((item) => {
          const line = lines[item.index];
          if (line === undefined) return null;
          return (
            <div
              key={item.key}
              className="gh-code-line"
              data-kind={line.kind}
              style={{ transform: `translateY(${item.start}px)` }}
            >
              {line.kind === 'gap' ? null : (
                <>
                  {compared ? <span className="gh-code-number">{line.before}</span> : null}
                  <span className="gh-code-number">{line.after}</span>
                  {compared ? <span className="gh-code-sign">{signs[line.kind]}</span> : null}
                </>
              )}
              <span dangerouslySetInnerHTML={{ __html: line.html }} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

const signs = { same: ' ', added: '+', removed: '−' } as const;

function plainLines(text: string, path: string): Line[] {
  const lines = highlightLines(text, path);
  if (lines.at(-1) === '' && text.endsWith('\n')) lines.pop();
  return lines.map((html, index) => ({ kind: 'same', before: null, after: index + 1, html }));
}

function comparedLines(base: string, text: string, path: string): Line[] | undefined {
  const rows = diffRows(base, text);
  if (rows === undefined) return undefined;
  // Each side is coloured as a whole, since a comment or a string may have begun in a line that is hidden.
  const before = highlightLines(base, path);
  const after = highlightLines(text, path);
  return rows.map((row) => {
    if (row.kind === 'gap')
      return { kind: 'gap', before: null, after: null, html: `${plural(row.lines, 'line')} the same` };
    const html = row.kind === 'removed' ? before[(row.before ?? 1) - 1] : after[(row.after ?? 1) - 1];
    return { kind: row.kind, before: row.before, after: row.after, html: html ?? '' };
  });
}
