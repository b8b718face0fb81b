import { createTheme, type CSSVariablesResolver } from '@mantine/core';
import type {
  ActionIconProps,
  AutocompleteProps,
  ComboboxProps,
  MenuProps,
  ModalProps,
  NotificationProps,
  SelectProps,
  TagsInputProps,
  TooltipProps,
} from '@mantine/core';

const small = { defaultProps: { size: 'xs' } } as const;

/** The component kit in Gatehouse's own clothes: verdigris on stone, dense, 13 px. */
export const theme = createTheme({
  colors: {
    verdigris: [
      '#eefaf6',
      '#daf2ea',
      '#b1e4d4',
      '#86d4bd',
      '#5fc3a7',
      '#38a98b',
      '#208f74',
      '#147660',
      '#0f6150',
      '#0b4d40',
    ],
    // The kit's own grey is blue; this one is the stone of the tokens.
    gray: [
      '#fbfbf9',
      '#f4f5f2',
      '#e9ebe6',
      '#dfe2dc',
      '#cbd0ca',
      '#aab2ad',
      '#7f8985',
      '#55605c',
      '#38413e',
      '#1a211f',
    ],
    red: ['#fdecea', '#fad4d0', '#f4aaa4', '#ee7f76', '#e45a4f', '#d33f33', '#c03024', '#b0261b', '#8f1d14', '#6f150e'],
    dark: [
      '#e5eae8',
      '#c5cdca',
      '#a3aeaa',
      '#8f9a96',
      '#3b4542',
      '#2f3735',
      '#272e2c',
      '#1b201f',
      '#151918',
      '#101413',
    ],
  },
  primaryColor: 'verdigris',
  primaryShade: { light: 7, dark: 7 },
  autoContrast: true,
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: "'JetBrains Mono Variable', ui-monospace, monospace",
  fontSizes: { xs: '13px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  lineHeights: { xs: '1.4', sm: '1.45', md: '1.5', lg: '1.5', xl: '1.4' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  radius: { xs: '3px', sm: '4px', md: '6px', lg: '10px', xl: '16px' },
  defaultRadius: 'md',
  cursorType: 'default',
  respectReducedMotion: true,
  // Plain objects and not the kit's `Button.extend`: that would bring every part named here into the first chunk.
  components: {
    Button: small,
    Loader: { defaultProps: { color: 'var(--gh-accent)' } },
    ActionIcon: { defaultProps: { size: 28, variant: 'subtle', color: 'gray' } satisfies Partial<ActionIconProps> },
    TextInput: small,
    PasswordInput: small,
    NumberInput: small,
    Textarea: small,
    // A list that opens as soon as Tab comes by covers what one is on the way to; typing, an arrow or a click opens it.
    Autocomplete: { defaultProps: { size: 'xs', openOnFocus: false } satisfies Partial<AutocompleteProps> },
    TagsInput: {
      defaultProps: {
        size: 'xs',
        comboboxProps: { shadow: 'md' },
        splitChars: [',', ' '],
        clearable: false,
        openOnFocus: false,
      } satisfies Partial<TagsInputProps>,
    },
    Select: {
      defaultProps: {
        size: 'xs',
        comboboxProps: { shadow: 'md' },
        checkIconPosition: 'right',
        openOnFocus: false,
      } satisfies Partial<SelectProps>,
    },
    Switch: { defaultProps: { size: 'xs', withThumbIndicator: false } },
    Checkbox: small,
    Text: { defaultProps: { size: 'sm' } },
    SegmentedControl: small,
    Combobox: {
      defaultProps: {
        shadow: 'md',
        transitionProps: { duration: 90, transition: 'fade' },
      } satisfies Partial<ComboboxProps>,
    },
    Menu: {
      defaultProps: {
        shadow: 'md',
        transitionProps: { duration: 90, transition: 'fade' },
        position: 'bottom-end',
        withInitialFocusPlaceholder: false,
      } satisfies Partial<MenuProps>,
    },
    Tooltip: {
      defaultProps: {
        openDelay: 350,
        withArrow: false,
        transitionProps: { duration: 90 },
        events: { hover: true, focus: true, touch: false },
      } satisfies Partial<TooltipProps>,
    },
    Notification: {
      defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } satisfies Partial<NotificationProps>,
    },
    Modal: {
      defaultProps: {
        centered: true,
        radius: 'lg',
        closeButtonProps: { 'aria-label': 'Close' },
        overlayProps: { backgroundOpacity: 0.35 },
        transitionProps: { duration: 120, transition: 'fade' },
      } satisfies Partial<ModalProps>,
    },
  },
});

/** Lets the kit's own variables follow Gatehouse's tokens, so that one place decides a colour. */
export const cssVariables: CSSVariablesResolver = () => {
  const shared = {
    '--mantine-color-body': 'var(--gh-surface)',
    '--mantine-color-text': 'var(--gh-text)',
    '--mantine-color-bright': 'var(--gh-text)',
    '--mantine-color-dimmed': 'var(--gh-muted)',
    '--mantine-color-placeholder': 'var(--gh-faint)',
    '--mantine-color-anchor': 'var(--gh-accent)',
    '--mantine-color-default': 'var(--gh-raised)',
    '--mantine-color-default-hover': 'var(--gh-sunken)',
    '--mantine-color-disabled': 'var(--gh-off)',
    '--mantine-color-disabled-color': 'var(--gh-off-text)',
    '--mantine-color-disabled-border': 'var(--gh-line)',
    '--mantine-color-default-color': 'var(--gh-text)',
    '--mantine-color-default-border': 'var(--gh-line-strong)',
    '--mantine-color-error': 'var(--gh-danger)',
    '--mantine-color-gray-light-color': 'var(--gh-muted)',
    '--mantine-color-gray-light-hover': 'var(--gh-hover)',
    '--mantine-color-red-light-color': 'var(--gh-danger)',
    '--mantine-color-verdigris-light': 'var(--gh-accent-soft)',
    '--mantine-color-verdigris-light-color': 'var(--gh-accent)',
  };
  return { variables: {}, light: shared, dark: shared };
};
