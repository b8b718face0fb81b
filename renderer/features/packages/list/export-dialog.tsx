import { Checkbox } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { showNewFile } from '../../../api/app.ts';
import { exportSummary } from '../../../ui/bundles/export-text.ts';
import { MissingList } from '../../../ui/bundles/missing-list.tsx';
import { useExport } from '../../../ui/bundles/use-export.ts';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { showDone } from '../../../ui/feedback/toast.tsx';
import { FormDialog } from '../../../ui/forms/form-dialog.tsx';

interface ExportDialogProps {
  /** Of the package. */
  name: string;
  onClose: () => void;
}

/** Writes a package into one signed file. It stays open where something is missing from that. */
export function ExportDialog({ name, onClose }: ExportDialogProps) {
  const { start, write } = useExport();
  const { mutate: show } = useMutation({ mutationFn: showNewFile });
  const [closure, setClosure] = useState(true);
  const packages = [name];
  const submit = () =>
    start({ packages, closure }, (report) => {
      if (report.missing.length > 0) return;
      onClose();
      showDone(exportSummary(report, packages), { label: 'Show in folder', run: () => show(report.file) });
    });
  return (
    <FormDialog
      opened
      title={`Export ${name}`}
      action="Export…"
      isFilled
      busy={write.isPending}
      error={write.error}
      onClose={onClose}
      onSubmit={() => void submit()}
    >
      <div>Writes all versions into one signed file for another computer.</div>
      <Checkbox
        label="Include all dependencies"
        checked={closure}
        onChange={(event) => setClosure(event.currentTarget.checked)}
      />
      {write.data && write.data.missing.length > 0 ? (
        <Notice tone="warn" title={exportSummary(write.data, packages)}>
          <MissingList missing={write.data.missing} />
        </Notice>
      ) : null}
    </FormDialog>
  );
}
