import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useEffect, useState } from 'react';
import type { ProtectedEnvironment } from '../../../server/contract/environments.ts';
import { useProtect, useReplaceRules, useUnprotect } from '../../api/environments.ts';
import { ask } from '../../ui/ask.tsx';
import { Moment } from '../../ui/moment.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { PathText } from '../../ui/path-text.tsx';
import { CallFailed } from '../../api/call.ts';
import { followStored, rebase, standingOf, startEdit, type EditSession } from './edit-session.ts';
import { changeCount, changesBetween, changeSentence, draftsOf, inputOf } from './rule-draft.ts';
import { RuleList } from './rule-list.tsx';
import { RulePicker } from './rule-picker.tsx';

// Edits under way outlive a look at another screen.
const unfinished = new Map<string, EditSession>();

interface RuleEditorProps {
  projectId: number;
  name: string;
  /** As stored now; undefined once someone took the protection away. */
  environment: ProtectedEnvironment | undefined;
  onClosed: () => void;
}

/** Edits who may deploy to an environment. Shows what saving changes, and never overwrites another's edit unasked. */
export function RuleEditor({ projectId, name, environment, onClosed }: RuleEditorProps) {
  const memory = `${projectId}/${name}`;
  const [session, setSession] = useState<EditSession | undefined>(
    () => unfinished.get(memory) ?? (environment === undefined ? undefined : startEdit(environment)),
  );
  const replace = useReplaceRules(projectId);
  const protect = useProtect(projectId);
  const unprotect = useUnprotect(projectId);

  const followed = session && environment ? followStored(session, environment) : session;
  if (followed !== session) setSession(followed);
  const standing = followed && standingOf(followed, environment);
  const unsaved = standing?.kind === 'conflict' || (standing?.kind === 'current' && standing.dirty);
  useEffect(() => {
    if (unsaved && followed) unfinished.set(memory, followed);
    else unfinished.delete(memory);
  }, [memory, unsaved, followed]);

  if (followed === undefined || standing === undefined) {
    return (
      <div className="gh-editor-body">
        <div className="gh-editor-inner">
          <Notice title="Not protected">{name} is not protected in this project. Choose one at the left.</Notice>
        </div>
      </div>
    );
  }
  // Taken away from here: the screen is about to go on to the next one.
  if (environment === undefined && !unprotect.isIdle) return null;
  const before = draftsOf(followed.base.rules);
  const changes = changesBetween(before, followed.rules);
  const empty = followed.rules.length === 0;
  const setRules = (rules: EditSession['rules']) => {
    replace.reset();
    setSession({ ...followed, rules });
  };
  const save = () =>
    replace.mutate(
      { name, rules: followed.rules.map(inputOf), updatedAt: followed.base.updatedAt },
      {
        onSuccess: (saved) => {
          setSession(startEdit(saved));
          notifications.show({ message: `Saved who may deploy to ${name}` });
        },
      },
    );
  const askToUnprotect = () =>
    ask({
      title: `Unprotect ${name}?`,
      consequence: `Everyone with the Developer role or higher may deploy to ${name} then. Its rules are deleted.`,
      action: 'Unprotect',
      leave: 'Keep it protected',
      run: () => unprotect.mutate(name, { onSuccess: onClosed }),
    });
  // A refusal for another's edit is told by the notice above, as soon as that edit is known.
  const failure = replace.error instanceof CallFailed && replace.error.code === 'conflict' ? null : replace.error;

  return (
    <form
      className="gh-editor"
      aria-label={`Rules of ${name}`}
      onSubmit={(event) => {
        event.preventDefault();
        if (standing.kind === 'current' && standing.dirty && !empty) save();
      }}
    >
      <div className="gh-editor-body gh-scroll">
        <div className="gh-editor-inner">
          <div className="gh-editor-title">
            <h2>
              <PathText path={name} />
            </h2>
            <span className="gh-spacer" />
            {environment === undefined ? null : (
              <Button variant="default" onClick={askToUnprotect} loading={unprotect.isPending}>
                Unprotect…
              </Button>
            )}
          </div>
          {environment === undefined ? null : (
            <p className="gh-editor-intro">
              Only these may deploy. Changed <Moment time={environment.updatedAt} />.
            </p>
          )}
          {standing.kind === 'gone' ? (
            <Notice
              tone="warn"
              title="No longer protected"
              actions={
                <>
                  <Button
                    variant="default"
                    loading={protect.isPending}
                    disabled={empty}
                    onClick={() =>
                      protect.mutate(
                        { name, rules: followed.rules.map(inputOf) },
                        { onSuccess: (saved) => setSession(startEdit(saved)) },
                      )
                    }
                  >
                    Protect it again
                  </Button>
                  <Button variant="default" onClick={onClosed}>
                    Close
                  </Button>
                </>
              }
            >
              Someone took the protection of {name} away. These were its rules.
            </Notice>
          ) : null}
          {standing.kind === 'conflict' ? (
            <Notice
              tone="warn"
              title="Changed elsewhere while you were editing"
              actions={
                <>
                  <Button variant="default" onClick={() => setSession(startEdit(standing.theirs))}>
                    Use theirs
                  </Button>
                  <Button variant="default" onClick={() => setSession(rebase(followed, standing.theirs))}>
                    Keep mine and review
                  </Button>
                </>
              }
            >
              <div>
                The other edit:{' '}
                {changeSentence(changesBetween(before, draftsOf(standing.theirs.rules))) || 'no rule differs.'}
              </div>
              <div>Yours: {changeSentence(changes)}</div>
            </Notice>
          ) : null}
          <RulePicker
            projectId={projectId}
            chosen={followed.rules}
            onPick={(rule) => {
              // Picking a rule that was removed a moment ago takes it back as it was, label and all.
              setRules([...followed.rules, rule]);
            }}
            error={empty ? 'Add at least one role, person or group, or unprotect it.' : undefined}
          />
          <RuleList before={before} rules={followed.rules} onChange={setRules} />
          {failure ? <ErrorNotice title="The rules could not be saved" error={failure} /> : null}
          {protect.error ? <ErrorNotice title="It could not be protected" error={protect.error} /> : null}
        </div>
      </div>
      {environment === undefined ? null : (
        <div className="gh-save-bar">
          <p role="status" data-changes={changeCount(changes) > 0 || undefined}>
            {changeCount(changes) > 0 ? changeSentence(changes) : 'All changes are saved.'}
          </p>
          <Button
            variant="default"
            disabled={changeCount(changes) === 0}
            onClick={() => {
              replace.reset();
              setSession(startEdit(environment));
            }}
          >
            Discard
          </Button>
          <Button
            type="submit"
            loading={replace.isPending}
            disabled={standing.kind !== 'current' || !standing.dirty || empty}
          >
            Save
          </Button>
        </div>
      )}
    </form>
  );
}
