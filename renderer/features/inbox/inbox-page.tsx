import { UnstyledButton } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconBox, IconCheck, IconCopy, IconPackageExport, IconTag, IconX } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import type { WaitingRelease } from '../../../server/contract/releases.ts';
import { useReleases } from '../../api/releases.ts';
import { RowMenu, type RowAction } from '../../ui/lists/row-menu.tsx';
import { createTypeAhead, findTyped } from '../../ui/lists/type-ahead.ts';
import { Pending } from '../../ui/feedback/pending.tsx';
import { copyAndSay } from '../../ui/feedback/toast.tsx';
import { Page } from '../../ui/page/page.tsx';
import { Chip } from '../../ui/text/chip.tsx';
import { formatCount } from '../../ui/text/format.ts';
import { Moment } from '../../ui/text/moment.tsx';
import { TailText } from '../../ui/text/tail-text.tsx';
import { ApproveDialog, RejectDialog } from './decide-dialogs.tsx';
import { EmptyInbox } from './empty-inbox.tsx';
import { ReleaseDetail } from './release-detail.tsx';
import { progressOf, releaseName } from './release-text.ts';
import './inbox.css';

/** What waits for approval: staged versions and moves of guarded dist-tags. */
export function InboxPage() {
  const { data: waiting, error } = useReleases();
  return (
    <Page
      title="Inbox"
      padded={false}
      count={waiting && waiting.length > 0 ? `${formatCount(waiting.length)} waiting` : undefined}
    >
      {waiting === undefined ? (
        <Pending what="the inbox" error={error} />
      ) : waiting.length === 0 ? (
        <EmptyInbox />
      ) : (
        <Inbox waiting={waiting} />
      )}
    </Page>
  );
}

function Inbox({ waiting }: { waiting: readonly WaitingRelease[] }) {
  const { id } = useSearch({ from: '/inbox' });
  const navigate = useNavigate({ from: '/inbox' });
  const [dialog, setDialog] = useState<{ what: DialogKind; release: WaitingRelease }>();
  const [typeAhead] = useState(() => createTypeAhead('/ jkar'));
  const list = useRef<HTMLUListElement>(null);
  const detail = useRef<HTMLElement>(null);
  // When what was shown is gone, the one in its place.
  const [place, setPlace] = useState(0);
  const found = waiting.findIndex((each) => each.id === id);
  if (found !== -1 && found !== place) setPlace(found);
  const index = found === -1 ? Math.min(place, waiting.length - 1) : found;
  const shown = waiting[index];

  const select = (next: number) => {
    const to = Math.max(0, Math.min(waiting.length - 1, next));
    const release = waiting[to];
    if (release === undefined) return;
    void navigate({ search: { id: release.id }, replace: true });
    list.current?.querySelectorAll<HTMLElement>('.gh-inbox-entry')[to]?.focus();
  };
  const isFree = (event: KeyboardEvent) => !event.defaultPrevented && dialog === undefined;
  const step = (by: number, everywhere: boolean) => (event: KeyboardEvent) => {
    const at = event.target as Element;
    // Elsewhere, an arrow scrolls.
    if (!isFree(event) || !(everywhere || at.matches('h1, main, body') || list.current?.contains(at))) return;
    event.preventDefault();
    select(index + by);
  };
  const decide = (what: DialogKind) => (event: KeyboardEvent) => {
    if (!isFree(event) || shown === undefined) return;
    event.preventDefault();
    setDialog({ what, release: shown });
  };
  const onListKey = (event: React.KeyboardEvent) => {
    const typed = typeAhead.type(event.nativeEvent);
    const place =
      typed === undefined
        ? { Home: 0, End: waiting.length - 1 }[event.key]
        : findTyped(waiting.map(releaseName), typed, index);
    if (place === undefined) return;
    // What is typed of a name is no shortcut.
    event.preventDefault();
    event.stopPropagation();
    if (place !== -1) select(place);
  };
  useHotkeys([
    ['j', step(1, true), { preventDefault: false }],
    ['k', step(-1, true), { preventDefault: false }],
    ['ArrowDown', step(1, false), { preventDefault: false }],
    ['ArrowUp', step(-1, false), { preventDefault: false }],
    ['a', decide('approve'), { preventDefault: false }],
    ['r', decide('reject'), { preventDefault: false }],
  ]);

  if (shown === undefined) return null;
  const actionsFor = (release: WaitingRelease) => [
    { label: 'Approve…', icon: IconCheck, run: () => setDialog({ what: 'approve', release }) },
    { label: 'Reject…', icon: IconX, run: () => setDialog({ what: 'reject', release }) },
    ...openAndCopy(release, (packageId) => void navigate({ to: '/packages/$packageId', params: { packageId } })),
  ];
  const asked = dialog && waiting.find((each) => each.id === dialog.release.id);
  const Dialog = dialog?.what === 'reject' ? RejectDialog : ApproveDialog;
  return (
    <div className="gh-inbox">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- its buttons have the focus */}
      <ul ref={list} className="gh-inbox-list" aria-label="Waiting for approval" onKeyDown={onListKey}>
        {waiting.map((release, at) => (
          <li key={release.id}>
            <WaitingEntry
              release={release}
              active={at === index}
              onSelect={(byKey) => {
                select(at);
                if (byKey) detail.current?.focus();
              }}
            />
            {/* For the right click; the same menu stands above what is shown. */}
            <div hidden>
              <RowMenu name={releaseName(release)} actions={actionsFor(release)} />
            </div>
          </li>
        ))}
      </ul>
      <ReleaseDetail
        key={shown.id}
        ref={detail}
        release={shown}
        onLeave={() => list.current?.querySelector<HTMLElement>('[aria-current="true"]')?.focus()}
        menu={<RowMenu name={releaseName(shown)} actions={actionsFor(shown)} />}
        onApprove={() => setDialog({ what: 'approve', release: shown })}
        onReject={() => setDialog({ what: 'reject', release: shown })}
      />
      {dialog === undefined ? null : (
        <Dialog
          key={dialog.release.id}
          release={asked ?? dialog.release}
          isGone={asked === undefined}
          onClose={() => setDialog(undefined)}
        />
      )}
    </div>
  );
}

type DialogKind = 'approve' | 'reject';

function openAndCopy(release: WaitingRelease, open: (packageId: number) => void): RowAction[] {
  const { packageId } = release;
  return [
    ...(packageId === null
      ? []
      : [{ label: 'Open the package', icon: IconBox, startsGroup: true, run: () => open(packageId) }]),
    {
      label: 'Copy name and version',
      icon: IconCopy,
      startsGroup: packageId === null,
      run: () => copyAndSay(releaseName(release)),
    },
  ];
}

interface WaitingEntryProps {
  release: WaitingRelease;
  active: boolean;
  /** `byKey`: to go on to what is shown of it. */
  onSelect: (byKey: boolean) => void;
}

function WaitingEntry({ release, active, onSelect }: WaitingEntryProps) {
  const Icon = release.kind === 'version' ? IconPackageExport : IconTag;
  return (
    <UnstyledButton
      className="gh-inbox-entry"
      aria-current={active}
      tabIndex={active ? 0 : -1}
      onClick={(event) => onSelect(event.detail === 0)}
    >
      <Icon size={17} aria-hidden="true" />
      <span className="gh-inbox-entry-text">
        <strong className="gh-inbox-entry-name gh-mono gh-truncate">
          <TailText text={releaseName(release)} tail={Math.min(24, release.version.length + 1)} head={4} />
        </strong>
        <span className="gh-inbox-entry-tags">
          {release.tags.map((tag) => (
            <Chip key={tag} tone={tag === 'latest' ? 'accent' : 'plain'}>
              {tag}
            </Chip>
          ))}
        </span>
        <span className="gh-inbox-entry-request">
          <span className="gh-truncate">{release.requester},</span> <Moment time={release.createdAt} />
        </span>
        <span className="gh-inbox-entry-progress">{progressOf(release)}</span>
      </span>
    </UnstyledButton>
  );
}
