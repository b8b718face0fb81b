import type { Provenance, VersionDetail } from '../../../../server/contract/packages.ts';
import { Section } from '../../../ui/page/section.tsx';
import { CopyButton } from '../../../ui/text/copy-button.tsx';
import { formatCount } from '../../../ui/text/format.ts';
import { Fact, LinkFact } from '../page/fact.tsx';
import './distribution-tab.css';

/** The tarball of a version: its digests, its signature, and where it says it was built. */
export function DistributionTab({ version }: { version: VersionDetail }) {
  const { fileName, size, integrity, shasum, signature, provenance } = version;
  return (
    <div className="gh-distribution gh-sections">
      <Section title="Tarball">
        <dl className="gh-facts">
          <Fact label="File name">
            <span className="gh-mono">{fileName}</span>
          </Fact>
          <Fact label="Size">{formatCount(size)} bytes</Fact>
          <CodeFact label="Integrity" value={integrity} copyLabel="Copy the integrity" />
          <CodeFact label="Shasum" value={shasum} copyLabel="Copy the shasum" />
        </dl>
      </Section>
      <Section
        title="Signature"
        text={
          <>
            This registry signs every version. To verify the signatures of a project, run{' '}
            <code>npm audit signatures</code>.
          </>
        }
      >
        <dl className="gh-facts">
          <CodeFact label="Key ID" value={signature.keyId} copyLabel="Copy the key ID" />
          <CodeFact label="Signature" value={signature.value} copyLabel="Copy the signature" />
        </dl>
      </Section>
      <Section
        title="Provenance"
        text={
          provenance === null ? (
            <>
              This version was published without provenance. To add it, publish in CI with{' '}
              <code>npm publish --provenance</code>.
            </>
          ) : (
            'What the publisher states about the build. Gatehouse does not verify the signature of the statement.'
          )
        }
      >
        {provenance === null ? null : <ProvenanceFacts provenance={provenance} />}
      </Section>
    </div>
  );
}

function ProvenanceFacts({ provenance }: { provenance: Provenance }) {
  const { builder, repository, commit, ref, workflow, predicateType } = provenance;
  return (
    <dl className="gh-facts">
      <LinkFact label="Repository" value={repository} />
      {commit === null ? null : <CodeFact label="Commit" value={commit} copyLabel="Copy the commit" />}
      {ref === null ? null : <Fact label="Ref">{ref}</Fact>}
      {workflow === null ? null : <Fact label="Workflow">{workflow}</Fact>}
      <LinkFact label="Built by" value={builder} />
      <LinkFact label="Statement" value={predicateType} />
    </dl>
  );
}

function CodeFact({ label, value, copyLabel }: { label: string; value: string; copyLabel: string }) {
  return (
    <Fact label={label}>
      <span className="gh-code-fact">
        <span className="gh-mono">{value}</span>
        <CopyButton text={value} label={copyLabel} />
      </span>
    </Fact>
  );
}
