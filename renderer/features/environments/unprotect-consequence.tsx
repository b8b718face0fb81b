import type { TagGuardView } from '../../../server/contract/guards.ts';
import { unguardConsequence, unprotectConsequence, unprotectTierConsequence } from '../../ui/rules/rule-draft.ts';

interface UnprotectConsequenceProps {
  name: string;
  /** Whether it is a tier that a group protects. */
  isTier: boolean;
  /** Groups above the project that protect it still. */
  groups: readonly string[];
  /** Those of the tags that it guards. */
  guards: readonly TagGuardView[];
  /** Whether publishes to these wait for approval instead of failing. */
  isStaged: boolean;
}

/** What unprotecting an environment does, also to the tags that it guards. */
export function UnprotectConsequence({ name, isTier, groups, guards, isStaged }: UnprotectConsequenceProps) {
  const guarded = groups.length === 0 ? guards : [];
  const ended = guarded.filter((guard) => !guard.deployersWait);
  return (
    <>
      {isTier ? unprotectTierConsequence(name) : unprotectConsequence(name, groups)}
      <Tags text={unguardConsequence(ended.length === 1, isStaged)} guards={ended} />
      <Tags
        text="Any other Developer can then approve what waits for:"
        guards={guarded.filter((guard) => guard.deployersWait)}
      />
    </>
  );
}

/** What becomes of some of the tags; nothing where there are none. */
function Tags({ text, guards }: { text: string; guards: readonly TagGuardView[] }) {
  if (guards.length === 0) return null;
  return (
    <div style={{ marginTop: 8 }}>
      {text}
      <ul style={{ margin: '4px 0', paddingLeft: 18 }}>
        {guards.map(({ pattern }) => (
          <li key={pattern}>
            <code>{pattern}</code>
          </li>
        ))}
      </ul>
    </div>
  );
}
