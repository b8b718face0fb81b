import { Anchor, Button, Kbd } from '@mantine/core';
import { IconCircle, IconCircleCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode, Ref } from 'react';
import type { ReleaseGate, WaitingRelease } from '../../../server/contract/releases.ts';
import { wasCoveredAtKey } from '../../ui/forms/layers.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { Section } from '../../ui/page/section.tsx';
import { Chip } from '../../ui/text/chip.tsx';
import { Moment } from '../../ui/text/moment.tsx';
import { ReleaseChanges } from './release-changes.tsx';
import { releaseName, wishOf } from './release-text.ts';

interface ReleaseDetailProps {
  ref: Ref<HTMLElement>;
  release: WaitingRelease;
  /** The button of its menu. */
  menu: ReactNode;
  /** Escape leads back to the list. */
  onLeave: () => void;
  onApprove: () => void;
  onReject: () => void;
}

/** One release that waits: who asked for what, which approvals it has and needs, and what it would change. */
export function ReleaseDetail({ ref, release, menu, onLeave, onApprove, onReject }: ReleaseDetailProps) {
  const { gates, missing, packageId, projectPath, requester, createdAt } = release;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it scrolls, and has the focus for that
    <section
      ref={ref}
      className="gh-inbox-detail"
      aria-label={releaseName(release)}
      tabIndex={0}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !wasCoveredAtKey()) onLeave();
      }}
    >
      <header className="gh-inbox-head">
        <div className="gh-inbox-title">
          <h2 className="gh-mono">
            {packageId === null ? (
              release.name
            ) : (
              <Anchor
                fz="inherit"
                fw="inherit"
                c="inherit"
                renderRoot={(props) => <Link {...props} to="/packages/$packageId" params={{ packageId }} />}
              >
                {release.name}
              </Anchor>
            )}
            <span className="gh-inbox-version">@{release.version}</span>
          </h2>
        </div>
        <div className="gh-inbox-acts">
          <Button
            variant="default"
            aria-keyshortcuts="R"
            rightSection={<Kbd aria-hidden="true">R</Kbd>}
            onClick={onReject}
          >
            Reject…
          </Button>
          <Button aria-keyshortcuts="A" rightSection={<Kbd aria-hidden="true">A</Kbd>} onClick={onApprove}>
            Approve…
          </Button>
          {menu}
        </div>
        <p className="gh-inbox-wish">
          <strong>{requester}</strong> {wishOf(release)}. Requested <Moment time={createdAt} /> in {projectPath}.
        </p>
      </header>
      <div className="gh-inbox-state" role="status">
        <Notice tone={gates.length > 0 && missing === '' ? 'done' : 'waits'}>{stateText(release)}</Notice>
      </div>
      <div className="gh-inbox-sections">
        {gates.length === 0 ? null : (
          <Section title="Required approvals">
            {gates.map((gate) => (
              <Gate key={gate.environment} gate={gate} project={release.projectId} />
            ))}
          </Section>
        )}
        <GivenApprovals release={release} />
        <ReleaseChanges release={release} />
      </div>
    </section>
  );
}

function stateText({ kind, gates, missing }: WaitingRelease): string {
  if (gates.length === 0) return 'Needs 1 approval by a user who may publish.';
  if (missing !== '') return `Needs ${missing}.`;
  return `It has all approvals. Approve it to ${kind === 'version' ? 'publish it' : 'move the tag'}.`;
}

/** What one environment asks for. */
function Gate({ gate: { environment, tags, rules }, project }: { gate: ReleaseGate; project: number }) {
  return (
    <div className="gh-gate">
      <h3>
        {tags.map((tag) => (
          <Chip key={tag} tone={tag === 'latest' ? 'accent' : 'plain'}>
            {tag}
          </Chip>
        ))}
        <span className="gh-spacer" />
        <Anchor
          fw={400}
          renderRoot={(props) => <Link {...props} to="/environments" search={{ project, name: environment }} />}
        >
          Show the rules
        </Anchor>
      </h3>
      <ul className="gh-list" aria-label={`Approvals for ${tags.join(' and ')}`}>
        {rules.map(({ description, group, required, approvedBy }) => {
          const isMet = approvedBy.length >= required;
          const Icon = isMet ? IconCircleCheck : IconCircle;
          return (
            <li key={`${group ?? ''} ${description}`} data-met={isMet || undefined}>
              <Icon size={17} className="gh-gate-mark" aria-hidden="true" />
              <div className="gh-gate-rule">
                <strong>{description}</strong>
                <div className="gh-muted gh-small gh-truncate">
                  {approvedBy.length === 0
                    ? 'No approval yet'
                    : `Approved by ${approvedBy.map(({ name }) => name).join(', ')}`}
                  {group === null ? '' : ` · rule of the group ${group}`}
                </div>
              </div>
              <span className="gh-figures">
                {Math.min(approvedBy.length, required)} of {required}
              </span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function GivenApprovals({ release: { approvals } }: { release: WaitingRelease }) {
  if (approvals.length === 0) return null;
  return (
    <Section title="Approvals so far">
      <ul className="gh-list" aria-label="Given approvals">
        {approvals.map(({ user, comment, representedAs, createdAt }) => (
          <li key={user.id}>
            <div className="gh-gate-rule">
              <div className="gh-row">
                <strong className="gh-truncate">{user.name}</strong>
                <span className="gh-faint gh-small gh-truncate">
                  @{user.username}
                  {representedAs === null ? '' : `, as ${representedAs}`}, <Moment time={createdAt} />
                </span>
              </div>
              {comment === '' ? null : <div className="gh-inbox-comment">{comment}</div>}
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
}
