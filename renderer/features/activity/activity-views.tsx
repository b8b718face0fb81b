import { SegmentedControl } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';

// The two views are screens of their own: the control that was used to switch is gone, and its like in the other takes the focus.
let switched = false;

/** Switches between what was changed and what was asked. */
export function ActivityViews() {
  const { view } = useSearch({ from: '/activity' });
  const navigate = useNavigate({ from: '/activity' });
  const control = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (switched) control.current?.querySelector<HTMLElement>('input:checked')?.focus();
    switched = false;
  }, []);
  return (
    <SegmentedControl
      ref={control}
      aria-label="View"
      data={[
        { value: 'changes', label: 'Changes' },
        { value: 'requests', label: 'Requests' },
      ]}
      value={view ?? 'changes'}
      onChange={(value) => {
        switched = true;
        void navigate({ search: value === 'requests' ? { view: 'requests' } : {}, replace: true });
      }}
    />
  );
}
