import { NavLink } from '@mantine/core';
import { IconLock, IconShieldLock, IconShieldOff, IconUsersGroup } from '@tabler/icons-react';
import { useEffect, useRef, type ReactNode, type Ref } from 'react';
import type {
  InheritedProtection,
  ProtectedEnvironment,
  ProtectionOwner,
} from '../../../server/contract/environments.ts';
import type { TagGuardView } from '../../../server/contract/guards.ts';
import { UnsavedMark } from '../../ui/feedback/unsaved-mark.tsx';
import { TailText } from '../../ui/text/tail-text.tsx';
import { draftsOf, ruleSummary } from '../../ui/rules/rule-draft.ts';
import { keepsTagApprovers } from '../../api/tag-approvers.ts';
import { guardNames } from '../guards/guard-people.ts';
import { editKeyOf, useUnsavedEdits } from './unsaved-edits.ts';

interface EnvironmentListProps {
  ref: Ref<HTMLElement>;
  owner: ProtectionOwner;
  list: readonly ProtectedEnvironment[];
  inherited: readonly InheritedProtection[];
  /** Those of the project's tags. */
  guards: readonly TagGuardView[];
  /** Whether publishes to guarded tags wait for approval instead of failing. */
  isStaged: boolean;
  /** What is shown beside the list: the name of an environment, or a protection of a group. */
  active: string | InheritedProtection | undefined;
  onOpen: (name: string, ofGroup?: number) => void;
  /** Whether the tags that require approval are shown beside the list. */
  areTagsOpen: boolean;
  /** Undefined: a group guards none. */
  onOpenTags: (() => void) | undefined;
}

/** The environments of a project or group, and what groups above protect. */
export function EnvironmentList({
  ref,
  owner,
  list,
  inherited,
  guards,
  isStaged,
  active,
  onOpen,
  areTagsOpen,
  onOpenTags,
}: EnvironmentListProps) {
  const unsaved = useUnsavedEdits();
  const guardsOf = (name: string) => guards.filter(({ environment }) => environment === name);
  const { deployed, forTags, unprotected } = sortEnvironments(list, guards);
  return (
    <nav ref={ref} className="gh-environment-list" aria-label="Protected environments">
      {deployed.length === 0 && inherited.length === 0 ? (
        <div className="gh-environment-heading">No protected environments yet.</div>
      ) : null}
      {deployed.map((environment) => (
        <Entry
          key={environment.name}
          icon={<IconShieldLock size={17} aria-hidden="true" />}
          name={environment.name}
          description={ruleSummary(draftsOf(environment))}
          guards={guardsText(guardsOf(environment.name), isStaged)}
          unsaved={unsaved.has(editKeyOf(owner, environment.name))}
          active={environment.name === active}
          onClick={() => onOpen(environment.name)}
        />
      ))}
      {inherited.length === 0 ? null : <h2 className="gh-environment-heading">From groups</h2>}
      {inherited.map((protection) => (
        <Entry
          key={protection.id}
          icon={<IconUsersGroup size={17} aria-hidden="true" />}
          name={protection.tier}
          description={`${protection.group.fullPath}: ${ruleSummary(draftsOf(protection))}`}
          active={protection === active}
          onClick={() => onOpen(protection.tier, protection.group.id)}
        />
      ))}
      {unprotected.length === 0 ? null : <h2 className="gh-environment-heading">Not protected here</h2>}
      {unprotected.map((name) => (
        <Entry
          key={name}
          icon={<IconShieldOff size={17} className="gh-faint" aria-hidden="true" />}
          name={name}
          guards={guardsText(guardsOf(name), isStaged)}
          active={name === active}
          onClick={() => onOpen(name)}
        />
      ))}
      {onOpenTags === undefined ? null : (
        <>
          <h2 className="gh-environment-heading">Dist-tags</h2>
          <Entry
            icon={<IconLock size={17} aria-hidden="true" />}
            name="Tag approvals"
            description={guards.length === 0 ? 'None yet' : guardNames(guards)}
            unsaved={forTags.some((each) => unsaved.has(editKeyOf(owner, each.name)))}
            active={areTagsOpen}
            onClick={onOpenTags}
          />
        </>
      )}
    </nav>
  );
}

/** As many characters take two lines at most in a narrow list. */
const shortText = 44;

interface EntryProps {
  icon: ReactNode;
  name: string;
  description?: string;
  /** What it does for tags. */
  guards?: string;
  unsaved?: boolean;
  active: boolean;
  onClick: () => void;
}

function Entry({ icon, name, description, guards = '', unsaved = false, active, onClick }: EntryProps) {
  const isShort = guards.length <= shortText;
  const entry = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (active) entry.current?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    <NavLink
      ref={entry}
      component="button"
      type="button"
      noWrap
      active={active}
      aria-current={active}
      leftSection={icon}
      label={<TailText text={name} tail={14} />}
      description={
        <>
          {description === undefined ? null : <Description text={description} />}
          {guards === '' ? null : (
            <div style={isShort ? { whiteSpace: 'normal' } : undefined}>
              {isShort ? guards : <Description text={guards} />}
            </div>
          )}
        </>
      }
      rightSection={unsaved ? <UnsavedMark /> : null}
      className="gh-environment"
      classNames={{ label: 'gh-environment-label', section: 'gh-environment-icon' }}
      onClick={onClick}
    />
  );
}

/** "Approvers of latest and 2 more"; or, where publishes fail, "Guards the tag next". */
function guardsText(guards: readonly TagGuardView[], isStaged: boolean): string {
  if (guards.length === 0) return '';
  if (isStaged) return `Approvers of ${guardNames(guards)}`;
  return `Guards ${guards.length === 1 ? 'the tag ' : ''}${guardNames(guards)}`;
}

/** Protected environments; those of them that only keep the approvers of tags, from which they are opened; and names of guards that nothing protects. */
export function sortEnvironments(list: readonly ProtectedEnvironment[], guards: readonly TagGuardView[]) {
  const isForTags = ({ name }: ProtectedEnvironment) => keepsTagApprovers(name, guards);
  const guarding = [...new Set(guards.map(({ environment }) => environment))];
  return {
    deployed: list.filter((each) => !isForTags(each)),
    forTags: list.filter(isForTags),
    unprotected: guarding.filter((name) => !list.some((each) => each.name === name)),
  };
}

/** How many more there are stays in sight, or the end of any other description. */
function Description({ text }: { text: string }) {
  const [more] = / and [\d,]+ more$/.exec(text) ?? [];
  return more === undefined ? (
    <TailText text={text} tail={6} />
  ) : (
    <TailText text={text} tail={more.length} head={1} exact />
  );
}
