import type { TagGuardView } from '../../../server/contract/guards.ts';
import { matchesTag } from '../../../server/contract/select-guard.ts';
import { fewOf, formatCount } from '../../ui/text/format.ts';
import { TailText } from '../../ui/text/tail-text.tsx';
import './guards.css';

/** Whether it is the name of one tag, and no pattern. */
export function namesOneTag({ pattern }: Pick<TagGuardView, 'pattern'>): boolean {
  return !pattern.includes('*');
}

/** "Matches latest, next", of the tags that packages of the project have; nothing for the name of one of them. */
export function matchText(pattern: string, tags: readonly string[]): string[] {
  if (namesOneTag({ pattern })) return tags.includes(pattern) ? [] : ['No package has this tag yet'];
  const found = tags.filter((tag) => matchesTag(pattern, tag));
  if (found.length === 0) return ['Matches no tag yet'];
  return [`Matches ${fewOf(found, 4)}`];
}

/** What `matchText` says, in a line that of a long tag shows what the pattern names. */
export function MatchLine({ pattern, tags }: { pattern: string; tags: readonly string[] }) {
  const [text] = matchText(pattern, tags);
  const [tag, ...others] = tags.filter((each) => matchesTag(pattern, each));
  if (text === undefined) return null;
  if (tag === undefined || text.length < 60) return `${text}.`;
  const end = pattern.slice(pattern.lastIndexOf('*') + 1);
  const middle = pattern.startsWith('*') && end === '' ? pattern.split('*').find((part) => part !== '') : undefined;
  const from = middle === undefined ? 0 : tag.indexOf(middle);
  return (
    <span className="gh-guard-tag">
      Matches <TailText text={from === 0 ? tag : `…${tag.slice(from)}`} tail={end.length} exact />
      {others.length === 0 ? '' : ` and ${formatCount(others.length)} more`}.
    </span>
  );
}
