import { Button, NumberInput } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import type { AppState, FailureReport } from '../../../server/contract/bridge.ts';
import { retryServer, useAppInfo, useSaveSettings, useSettings } from '../../api/app.ts';
import { ErrorNotice } from '../../ui/feedback/notice.tsx';
import { LogSnippet } from '../../ui/text/log-snippet.tsx';
import { PathText } from '../../ui/text/path-text.tsx';
import { Logo } from '../../ui/theme/logo.tsx';
import { useFirstFocus } from '../../ui/forms/use-first-focus.ts';
import { offers, stoppedTitle } from './failure-titles.ts';
import { RecoveryActions } from './recovery-actions.tsx';
import './startup.css';

interface FailureScreenProps {
  state: Extract<AppState, { phase: 'failed' | 'restarting' }>;
}

/** Shown when the registry stopped or could not start: the cause, what to do, and the last lines of the log. */
export default function FailureScreen({ state }: FailureScreenProps) {
  const failed = state.phase === 'failed';
  const recovery = failed ? state.recovery : undefined;
  return (
    <main className="gh-startup">
      <div className="gh-startup-card" data-phase={state.phase}>
        <Logo size={36} />
        <Title key={recovery?.task.kind} text={stoppedTitle(state)} />
        {recovery === undefined ? (
          <>
            <p className="gh-startup-cause" role={failed ? 'alert' : 'status'}>
              <Cause text={state.cause} />
            </p>
            <p>{state.remedy}</p>
          </>
        ) : null}
        {failed ? (
          <RecoveryActions
            failure={state.failure}
            // The same environment would be read again.
            retry={
              state.failure === 'notStarted' ? null : (
                <RetryButton label="Try again" isMain={!offers(state.failure, 'snapshot')} />
              )
            }
            recovery={recovery}
          />
        ) : (
          <Countdown until={state.restartAt} attempt={state.attempt} />
        )}
        {failed && offers(state.failure, 'otherPort') ? <OtherPort /> : null}
        {recovery === undefined ? <LogTail report={state} /> : null}
      </div>
    </main>
  );
}

/** Takes the focus when something begins or ends: its button is gone then. */
function Title({ text }: { text: string }) {
  const heading = useFirstFocus();
  return (
    <h1 ref={heading} tabIndex={-1}>
      {text}
    </h1>
  );
}

/** A sentence with paths, and with a command between quotation marks. */
function Cause({ text }: { text: string }) {
  return text
    .split(/"([^"]+)"/)
    .map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : <PathText key={index} path={part} />));
}

interface RetryButtonProps {
  label: string;
  isMain?: boolean;
  /** Whether it happens by itself just now. */
  isTried?: boolean;
}

function RetryButton({ label, isMain = true, isTried = false }: RetryButtonProps) {
  const [busy, setBusy] = useState(false);
  return (
    <Button
      variant={isMain ? 'filled' : 'default'}
      leftSection={<IconRefresh size={15} aria-hidden="true" />}
      loading={busy || isTried}
      onClick={() => {
        setBusy(true);
        void retryServer().finally(() => setBusy(false));
      }}
    >
      {label}
    </Button>
  );
}

/** Saves another port in the settings and starts the registry there. */
function OtherPort() {
  const { data: settings } = useSettings();
  const { data: info } = useAppInfo();
  const { mutate: save, isPending, error } = useSaveSettings({ handlesErrors: true });
  const [port, setPort] = useState<number | string>('');
  const value = port === '' ? (settings?.port ?? 4899) + 1 : Number(port);
  // Another one could not be used: the environment names this one at each start.
  if (info?.portIsFixed === true)
    return (
      <p className="gh-muted">
        <code>GATEHOUSE_PORT</code> sets the port. To use another one, change it and start Gatehouse again.
      </p>
    );
  return (
    <form
      className="gh-startup-log"
      onSubmit={(event) => {
        event.preventDefault();
        // Saved once more, the same port starts nothing.
        save({ port: value }, { onSuccess: () => void retryServer() });
      }}
    >
      <div className="gh-startup-actions">
        <NumberInput
          label="Use another port"
          description="Every .npmrc that uses this registry needs the new port."
          min={1}
          max={65_535}
          allowDecimal={false}
          w={124}
          styles={{ label: { whiteSpace: 'nowrap' }, description: { whiteSpace: 'nowrap' } }}
          value={value}
          onChange={setPort}
        />
        <Button type="submit" variant="default" loading={isPending} style={{ alignSelf: 'flex-end' }}>
          Save and start
        </Button>
      </div>
      {error ? <ErrorNotice error={error} /> : null}
    </form>
  );
}

/** When the registry restarts by itself, and a button for those who do not wait, until it does. */
function Countdown({ until, attempt }: { until: number; attempt: number }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.ceil((until - now) / 1000));
  return (
    <div className="gh-startup-actions">
      <RetryButton label="Restart now" isTried={seconds === 0} />
      <span className="gh-muted gh-figures">
        {seconds > 0 ? `Restarts in ${seconds} s` : 'Restarting…'} (attempt {attempt})
      </span>
    </div>
  );
}

function LogTail({ report }: { report: FailureReport }) {
  // The command line's own sentence is the cause above.
  const lines = report.logTail.filter((line) => !line.startsWith(`gatehouse: ${report.cause}`));
  if (lines.length === 0) return null;
  return (
    <div className="gh-startup-log">
      <LogSnippet lines={lines} />
    </div>
  );
}
