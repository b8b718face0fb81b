import { Button, Loader } from '@mantine/core';
import { IconCircle, IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import type { SelfTestStep } from '../../../server/contract/connect.ts';
import { useRunSelfTest, useSelfTest } from '../../api/connect.ts';
import { ErrorNotice } from '../../ui/feedback/notice.tsx';
import { Section } from '../../ui/page/section.tsx';
import './self-test.css';

/** Runs the package managers of this machine against the registry, command by command. */
export function SelfTest({ projectId }: { projectId: number }) {
  const test = useSelfTest();
  const run = useRunSelfTest();
  const running = test.data?.running === true;
  const steps = test.data?.steps ?? [];
  return (
    <Section
      title="Test every client"
      text="Runs the package managers of this machine against the registry in a temporary folder: they publish, view, install and tag a package, which is removed afterwards."
    >
      <Button
        variant="default"
        mb={test.error !== null || steps.length > 0 ? 12 : 0}
        loading={run.isPending}
        onClick={() => run.mutate(running ? null : projectId)}
        rightSection={running ? <Loader size={13} aria-hidden="true" /> : null}
      >
        {running ? 'Stop' : 'Run the test'}
      </Button>
      {test.error ? <ErrorNotice error={test.error} /> : null}
      {steps.length > 0 ? (
        <ul className="gh-list gh-self-test" aria-label="Steps of the test">
          {steps.map((step) => (
            <Step key={`${step.client} ${step.command}`} step={step} />
          ))}
        </ul>
      ) : null}
    </Section>
  );
}

const icons: Record<SelfTestStep['state'], React.ReactNode> = {
  waiting: <IconCircle size={17} color="var(--gh-faint)" />,
  running: <Loader size={14} />,
  passed: <IconCircleCheck size={17} color="var(--gh-accent)" />,
  failed: <IconCircleX size={17} color="var(--gh-danger)" />,
};

function Step({ step }: { step: SelfTestStep }) {
  return (
    <li>
      <div className="gh-row">
        <span role="img" aria-label={step.state}>
          {icons[step.state]}
        </span>
        <strong>
          {step.client} {step.version}
        </strong>
        <span className="gh-mono gh-truncate">{step.command}</span>
        <span className="gh-spacer" />
        {step.duration === null ? null : <span className="gh-muted">{(step.duration / 1000).toFixed(1)} s</span>}
      </div>
      {step.state === 'failed' && step.output !== '' ? (
        <pre tabIndex={0} role="group" aria-label={`Output of ${step.client}`}>
          {step.output}
        </pre>
      ) : null}
    </li>
  );
}
