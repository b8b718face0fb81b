import { SegmentedControl } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';

/** Switches between what was changed and what was asked. */
export function ActivityViews() {
  const { view } = useSearch({ from: '/activity' });
  const navigate = useNavigate({ from: '/activity' });
  return (
    <SegmentedControl
      aria-label="View"
      data={[
        { value: 'changes', label: 'Changes' },
        { value: 'requests', label: 'Requests' },
      ]}
      value={view ?? 'changes'}
      onChange={(value) => void navigate({ search: value === 'requests' ? { view: 'requests' } : {}, replace: true })}
    />
  );
}
