import { Button, Checkbox, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { bundleMethods } from '../../../../server/contract/bundles.ts';
import { showNewFile } from '../../../api/app.ts';
import { exportSummary } from '../../../ui/bundles/export-text.ts';
import { MissingList } from '../../../ui/bundles/missing-list.tsx';
import { useExport } from '../../../ui/bundles/use-export.ts';
import { ErrorNotice, Notice } from '../../../ui/feedback/notice.tsx';
import { useSchemaForm } from '../../../ui/forms/use-schema-form.ts';
import { Section } from '../../../ui/page/section.tsx';
import { PathText } from '../../../ui/text/path-text.tsx';
import { SelectorField } from '../selector-field.tsx';

const exportSchema = bundleMethods['bundles.export'].input.pick({ packages: true });

/** Writes packages into one signed file. */
export function BundleExport() {
  const { start, write } = useExport();
  const form = useSchemaForm(
    exportSchema,
    { packages: [], closure: true },
    {
      required: { packages: 'Enter at least one package or scope.' },
      onValuesChange: () => write.reset(),
    },
  );
  const { mutate: show } = useMutation({ mutationFn: showNewFile });
  const report = write.data;
  return (
    <Section title="Export" text="Writes packages into one signed file for another computer.">
      <Stack gap={12}>
        <form data-command="export" className="gh-form-row" onSubmit={form.submit((values) => void start(values))}>
          <SelectorField
            label="Packages"
            placeholder="e.g. @acme/*, tiny-queue or vite@^7"
            withScopes
            withCached
            {...form.getInputProps('packages')}
          />
          <Checkbox
            className="gh-bundle-choice"
            label="Include all dependencies"
            {...form.getInputProps('closure', { type: 'checkbox' })}
          />
          <Button type="submit" variant="default" loading={write.isPending}>
            Export…
          </Button>
        </form>
        {write.error ? <ErrorNotice title="Nothing was exported" error={write.error} /> : null}
        {report ? (
          <Notice
            tone={report.missing.length > 0 ? 'warn' : 'done'}
            title={exportSummary(report, write.variables.packages)}
            actions={
              <Button variant="default" size="compact-xs" onClick={() => show(report.file)}>
                Show in folder
              </Button>
            }
          >
            <div className="gh-mono">
              <PathText path={report.file} />
            </div>
            {report.missing.length > 0 ? <MissingList missing={report.missing} /> : null}
          </Notice>
        ) : null}
      </Stack>
    </Section>
  );
}
