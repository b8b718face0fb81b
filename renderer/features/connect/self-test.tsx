import { Button, Loader } from '@mantine/core';
import { IconCircle, IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import type { SelfTestStep } from '../../../server/contract/connect.ts';
import { useRunSelfTest, useSelfTest } from '../../api/connect.ts';
import { ErrorNotice } from '../../ui/notice.tsx';

/** Tries the package managers of this machine against the registry, command by command. */
export function SelfTest({ projectId }: { projectId: number }) {
  const test = useSelfTest();
  const run = useRunSelfTest();
  const running = test.data?.running === true;
  const steps = test.data?.steps ?? [];
  return (
    <section aria-labelledby="connect-test">
      <h2 id="connect-test">Try every client</h2>
      <p>
        Runs the package managers that are found on this machine against the registry, in a folder of its own: publish,
        look, install, tags. What it published is taken away again.
      </p>
      <Button
        variant="default"
        loading={run.isPending}
        onClick={() => run.mutate(running ? null : projectId)}
        rightSection={running ? <Loader size={13} aria-hidden="true" /> : null}
      >
        {running ? 'Stop' : 'Run the test'}
      </Button>
      {test.error ? <ErrorNotice error={test.error} /> : null}
      {steps.length > 0 ? (
        <ul className="gh-self-test" aria-label="Steps of the test">
          {steps.map((step) => (
            <Step key={`${step.client} ${step.command}`} step={step} />
          ))}
        </ul>
      ) : null}
    </section>
  );
}

const stateNames = { waiting: 'waiting', running: 'running', passed: 'passed', failed: 'failed' } as const;

function Step({ step }: { step: SelfTestStep }) {
  return (
    <li data-state={step.state}>
      <div className="gh-row">
        <span role="img" aria-label={stateNames[step.state]} className="gh-step-state">
          {step.state === 'running' ? (
            <Loader size={14} />
          ) : step.state === 'passed' ? (
            <IconCircleCheck size={17} />
          ) : step.state === 'failed' ? (
            <IconCircleX size={17} />
          ) : (
            <IconCircle size={17} />
          )}
        </span>
        <strong>
          {step.client} {step.version}
        </strong>
        <span className="gh-mono gh-truncate">{step.command}</span>
        <span className="gh-spacer" />
        {step.duration === null ? null : <span className="gh-muted">{(step.duration / 1000).toFixed(1)} s</span>}
      </div>
      {step.state === 'failed' && step.output !== '' ? (
        <pre className="gh-scroll" tabIndex={0} role="group" aria-label={`What ${step.client} printed`}>
          {step.output}
        </pre>
      ) : null}
    </li>
  );
}
