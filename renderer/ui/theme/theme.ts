import './theme.css';
import {
  createTheme,
  defaultVariantColorsResolver,
  type CSSVariablesResolver,
  type MantineColorsTuple,
} from '@mantine/core';
import type {
  ActionIconProps,
  AutocompleteProps,
  ComboboxProps,
  MenuProps,
  ModalProps,
  MultiSelectProps,
  NotificationProps,
  SelectProps,
  TagsInputProps,
  TooltipProps,
} from '@mantine/core';
import type { MouseEvent } from 'react';
import { rankOptions } from '../forms/match-rank.ts';
import { freeTextClass } from '../forms/select-keys.ts';

const small = { defaultProps: { size: 'xs' } } as const;
const dropdown = { dropdown: 'gh-dropdown' } as const;

/** The pointer takes the focus along, so that a menu has one marked item, which Enter chooses. */
const pointed = {
  defaultProps: { onMouseMove: (event: MouseEvent<HTMLElement>) => event.currentTarget.focus({ preventScroll: true }) },
} as const;

/** The kit hides the button that clears a select from keyboards and screen readers. */
export const shownClearButton = { 'aria-label': 'Clear', 'aria-hidden': false, tabIndex: 0 } as const;

/** Of a select of names: the list is wider than a narrow field, and stays in the window. */
export const namesDropdown = {
  classNames: { dropdown: 'gh-names-dropdown' },
  comboboxProps: { position: 'bottom-start', middlewares: { shift: { mainAxis: true } } },
} as const;

const pickers = {
  size: 'xs',
  comboboxProps: { shadow: 'md' },
  // Opening on focus would cover what Tab leads to next; typing, an arrow or a click opens the list.
  openOnFocus: false,
  // Enter takes the best match of what was typed.
  selectFirstOptionOnChange: true,
  filter: rankOptions,
} as const;

/** Colours of badges and alerts, given as their `color`. */
const tones = {
  plain: tone('var(--gh-surface)', 'var(--gh-line-strong)', 'var(--gh-muted)'),
  accent: tone('var(--gh-accent-soft)', 'var(--gh-accent-line)', 'var(--gh-accent)'),
  warn: tone('var(--gh-warn-soft)', 'var(--gh-warn-line)', 'var(--gh-warn)'),
  danger: tone('var(--gh-danger-soft)', 'var(--gh-danger-line)', 'var(--gh-danger)'),
};
export type Tone = keyof typeof tones;

/** The theme of the component kit: verdigris on stone, dense, 13 px. `theme.css` has the classes named here. */
export const theme = createTheme({
  colors: {
    verdigris: shades('#eefaf6 #daf2ea #b1e4d4 #86d4bd #5fc3a7 #38a98b #208f74 #147660 #0f6150 #0b4d40'),
    // The kit's own grey is blue.
    gray: shades('#fbfbf9 #f4f5f2 #e9ebe6 #dfe2dc #cbd0ca #aab2ad #7f8985 #55605c #38413e #1a211f'),
    red: shades('#fdecea #fad4d0 #f4aaa4 #ee7f76 #e45a4f #d33f33 #c03024 #b0261b #8f1d14 #6f150e'),
    dark: shades('#e5eae8 #c5cdca #a3aeaa #8f9a96 #3b4542 #2f3735 #272e2c #1b201f #151918 #101413'),
  },
  primaryColor: 'verdigris',
  primaryShade: { light: 7, dark: 7 },
  autoContrast: true,
  fontFamily: 'var(--gh-font)',
  fontFamilyMonospace: 'var(--gh-mono)',
  fontSizes: { xs: '13px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  lineHeights: { xs: '1.4', sm: '1.45', md: '1.5', lg: '1.5', xl: '1.4' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  radius: { xs: '3px', sm: '4px', md: '6px', lg: '10px', xl: '16px' },
  headings: {
    fontWeight: '620',
    sizes: {
      h2: { fontSize: '21px', lineHeight: '1.3' },
      h3: { fontSize: '17px', lineHeight: '1.3' },
      h4: { fontSize: '14px', lineHeight: '1.3' },
      h5: { fontSize: '14px', lineHeight: '1.3' },
      h6: { fontSize: '14px', lineHeight: '1.3' },
    },
  },
  defaultRadius: 'md',
  cursorType: 'default',
  respectReducedMotion: true,
  variantColorResolver: (input) => (isTone(input.color) ? tones[input.color] : defaultVariantColorsResolver(input)),
  // Plain objects and not the kit's `Button.extend`: that would bring every part named here into the first chunk.
  components: {
    Button: { defaultProps: { size: 'xs', fw: 550 } },
    Loader: { defaultProps: { color: 'var(--gh-accent)' } },
    ActionIcon: { defaultProps: { size: 28, variant: 'subtle', color: 'gray' } satisfies Partial<ActionIconProps> },
    Alert: {
      styles: {
        root: { padding: '12px 16px' },
        body: { gap: 0 },
        icon: { width: 17, height: 17, marginInlineEnd: 12 },
        title: { color: 'var(--gh-text)', fontWeight: 600 },
        message: { color: 'var(--gh-text)', overflowWrap: 'anywhere' },
      },
    },
    Badge: {
      vars: () => ({ root: { '--badge-padding-x': '7px' } }),
      styles: { root: { maxWidth: '100%', fontWeight: 550, letterSpacing: 0, textTransform: 'none' } },
    },
    Kbd: { classNames: { root: 'gh-kbd' } },
    Input: { classNames: { wrapper: 'gh-input-wrapper', input: 'gh-input' } },
    InputWrapper: {
      classNames: { label: 'gh-input-label', description: 'gh-input-description', error: 'gh-input-error' },
    },
    TextInput: small,
    PasswordInput: small,
    NumberInput: { ...small, classNames: { control: 'gh-number-control' } },
    Textarea: small,
    Autocomplete: {
      defaultProps: { size: 'xs', openOnFocus: false, filter: rankOptions } satisfies Partial<AutocompleteProps>,
      classNames: { ...dropdown, input: freeTextClass },
    },
    TagsInput: {
      defaultProps: {
        size: 'xs',
        comboboxProps: { shadow: 'md' },
        splitChars: [',', ' '],
        clearable: false,
        openOnFocus: false,
        filter: rankOptions,
      } satisfies Partial<TagsInputProps>,
      classNames: {
        ...dropdown,
        input: 'gh-tags-input',
        inputField: `gh-tags-field ${freeTextClass}`,
        pill: 'gh-tags-pill',
      },
    },
    Select: {
      defaultProps: {
        ...pickers,
        checkIconPosition: 'right',
        clearButtonProps: shownClearButton,
      } satisfies Partial<SelectProps>,
      classNames: { ...dropdown, root: 'gh-select' },
    },
    MultiSelect: {
      defaultProps: { ...pickers, checkIconPosition: 'right' } satisfies Partial<MultiSelectProps>,
      classNames: { ...dropdown, input: 'gh-tags-input', inputField: 'gh-tags-field', pill: 'gh-tags-pill' },
    },
    Switch: {
      defaultProps: { size: 'xs', withThumbIndicator: false },
      classNames: { input: 'gh-switch', track: 'gh-switch-track' },
    },
    Checkbox: { ...small, classNames: { input: 'gh-checkbox' } },
    Radio: { ...small, classNames: { radio: 'gh-checkbox' } },
    SegmentedControl: {
      ...small,
      classNames: {
        root: 'gh-segments',
        control: 'gh-segments-control',
        indicator: 'gh-segments-indicator',
        label: 'gh-segments-label',
      },
    },
    Tabs: { classNames: { list: 'gh-tabs-list', tab: 'gh-tabs-tab' } },
    Progress: {
      styles: { root: { background: 'var(--gh-track)' }, section: { backgroundColor: 'var(--gh-progress)' } },
    },
    Text: { defaultProps: { size: 'sm' } },
    Combobox: {
      defaultProps: {
        shadow: 'md',
        transitionProps: { duration: 90, transition: 'fade' },
        // One that opens upwards covers the label, and leaves no slices of its letters.
        offset: 3,
      } satisfies Partial<ComboboxProps>,
      classNames: { ...dropdown, option: 'gh-option' },
    },
    Menu: {
      defaultProps: {
        shadow: 'md',
        transitionProps: { duration: 90, transition: 'fade' },
        position: 'bottom-end',
        // One with room neither above nor below covers its button.
        middlewares: { shift: { crossAxis: true } },
        withInitialFocusPlaceholder: false,
      } satisfies Partial<MenuProps>,
      classNames: { dropdown: 'gh-dropdown gh-menu', item: 'gh-option gh-menu-item', itemLabel: 'gh-menu-label' },
    },
    MenuItem: pointed,
    MenuRadioItem: pointed,
    Tooltip: {
      defaultProps: {
        openDelay: 350,
        withArrow: false,
        transitionProps: { duration: 90 },
        events: { hover: true, focus: true, touch: false },
      } satisfies Partial<TooltipProps>,
      styles: {
        tooltip: {
          padding: '4px 8px',
          fontSize: 'var(--gh-text-sm)',
          overflowWrap: 'anywhere',
          whiteSpace: 'pre-line',
        },
      },
    },
    Notification: {
      defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } satisfies Partial<NotificationProps>,
      classNames: { root: 'gh-dropdown' },
      styles: { root: { borderWidth: 1, borderStyle: 'solid' }, description: { color: 'var(--gh-text)' } },
    },
    Modal: {
      defaultProps: {
        // A form of five fields is not to scroll in the smallest window for a few pixels.
        yOffset: '3dvh',
        radius: 'lg',
        closeButtonProps: { 'aria-label': 'Close' },
        overlayProps: { backgroundOpacity: 0.35 },
        transitionProps: { duration: 120, transition: 'fade' },
      } satisfies Partial<ModalProps>,
      styles: {
        content: { background: 'var(--gh-overlay)' },
        header: { background: 'var(--gh-overlay)' },
        title: {
          // Its first line stands beside the button that closes.
          paddingBlock: 4,
          paddingInlineEnd: 12,
          fontSize: 'var(--gh-text-lg)',
          fontWeight: 620,
          letterSpacing: '-0.012em',
          lineHeight: 1.3,
        },
      },
      classNames: {
        inner: 'gh-dialog-place',
        content: 'gh-dialog',
        header: 'gh-dialog-header',
        body: 'gh-dialog-body',
      },
    },
  },
});

/** Ten shades of a colour, from light to dark. */
function shades(colors: string): MantineColorsTuple {
  return colors.split(' ') as unknown as MantineColorsTuple;
}

function tone(background: string, border: string, color: string) {
  return { background, hover: background, border: `1px solid ${border}`, color };
}

function isTone(color: unknown): color is Tone {
  return typeof color === 'string' && Object.hasOwn(tones, color);
}

/** The kit's colour variables, all taken from `tokens.css`. */
export const cssVariables: CSSVariablesResolver = () => {
  const shared = {
    '--mantine-color-body': 'var(--gh-surface)',
    '--mantine-color-text': 'var(--gh-text)',
    '--mantine-color-bright': 'var(--gh-text)',
    '--mantine-color-dimmed': 'var(--gh-muted)',
    '--mantine-color-placeholder': 'var(--gh-placeholder)',
    '--mantine-color-anchor': 'var(--gh-accent)',
    '--mantine-color-default': 'var(--gh-raised)',
    '--mantine-color-default-hover': 'var(--gh-hover-raised)',
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
