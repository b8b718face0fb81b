import { TailText } from '../../ui/text/tail-text.tsx';

/** Keeps the version of a package in sight, of a long one its number and its end, and the end of any other name. */
export function SubjectText({ text }: { text: string }) {
  const at = text.lastIndexOf('@');
  if (at <= 0) return <TailText text={text} tail={12} />;
  const [number = ''] = /^@\d+\.\d+\.\d+/.exec(text.slice(at)) ?? [];
  const end = at + number.length;
  if (number === '' || text.length - at <= 32) {
    return <TailText text={text} tail={Math.min(32, text.length - at)} head={4} />;
  }
  return (
    <span className="gh-tail-texts">
      <TailText text={text.slice(0, end)} tail={number.length} head={4} exact />
      <TailText text={text.slice(end)} tail={12} />
    </span>
  );
}

/**
 * Keeps the last part of a detail in sight, as a role or what a tag points to now, and the end of what stands before it, as groups mostly differ
 * there. A size or a visibility tells least: it is whole or goes. Rules are read from their start, where the labels are.
 */
export function DetailText({ text }: { text: string }) {
  if (/(^| · )(may deploy|approvers): /.test(text)) return text;
  const at = Math.max(text.lastIndexOf(' · '), text.lastIndexOf(' → '));
  const last = text.slice(at);
  if (at === -1) return <TailText text={text} tail={16} />;
  // One cut through two facts would read as one of them.
  if (last.length > 32) return last.startsWith(' → ') ? <TailText text={text} tail={16} /> : text;
  if (/^ · (size|visibility): /.test(last)) {
    return (
      <span className="gh-change-detail-less" data-tip={text}>
        <TailText text={text.slice(0, at)} tail={16} />
        <span>{last}</span>
      </span>
    );
  }
  return (
    <span className="gh-change-detail-parts">
      <TailText text={text.slice(0, at)} tail={8} exact />
      <span className="gh-truncate">{last}</span>
    </span>
  );
}
