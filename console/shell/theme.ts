/** Light or dark: the person's choice, else the system's. Colours of the component library and of our own styles are one. */
import type { GlobalTheme, GlobalThemeOverrides } from 'naive-ui'
import { computed, ref, shallowRef, watchEffect } from 'vue'
import { recall, remember } from './remembered.js'

export type ThemeChoice = 'light' | 'dark' | 'system'

const systemDark = matchMedia('(prefers-color-scheme: dark)')
const systemIsDark = ref(systemDark.matches)
systemDark.addEventListener('change', ({ matches }) => {
  systemIsDark.value = matches
})

export const themeChoice = ref<ThemeChoice>(firstChoice())

export const isDark = computed(() =>
  themeChoice.value === 'system' ? systemIsDark.value : themeChoice.value === 'dark',
)

/** Of the component library. Undefined: nobody has asked for it yet. */
const darkTheme = shallowRef<GlobalTheme>()

const showsDark = computed(() => isDark.value && darkTheme.value !== undefined)

export const theme = computed(() => (showsDark.value ? darkTheme.value : null))
export const themeOverrides = computed(() => (showsDark.value ? dark : light))

// Nothing is drawn yet but the ground of the page.
paint()
// Our own styles change together with those of the component library.
watchEffect(() => {
  if (isDark.value && darkTheme.value === undefined) void loadTheme()
  else paint()
})

function paint(): void {
  document.documentElement.dataset.theme = isDark.value ? 'dark' : 'light'
}

/** Resolves once what is drawn has the colours of the theme that is chosen. */
export async function loadTheme(): Promise<void> {
  if (!isDark.value || darkTheme.value !== undefined) return
  darkTheme.value = (await import('./library/dark.js')).darkTheme
}

export function chooseTheme(choice: ThemeChoice): void {
  themeChoice.value = choice
  remember('theme', choice)
}

function firstChoice(): ThemeChoice {
  const chosen = recall('theme')
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system'
}

const shared = {
  fontFamily:
    'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "PingFang SC", "Noto Sans CJK SC", sans-serif',
  fontFamilyMono: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace',
  borderRadius: '8px',
  borderRadiusSmall: '6px',
  fontWeightStrong: '600',
}

/** Every pair of text and ground keeps a contrast of 4.5 or more (WCAG 1.4.3). */
const light: GlobalThemeOverrides = {
  common: {
    ...shared,
    primaryColor: '#0d6e66',
    primaryColorHover: '#0a5a53',
    primaryColorPressed: '#084841',
    primaryColorSuppl: '#0d6e66',
    infoColor: '#1d5fc4',
    infoColorHover: '#174e9f',
    infoColorPressed: '#123d7d',
    successColor: '#187a3d',
    successColorHover: '#136331',
    successColorPressed: '#0f4e27',
    warningColor: '#9a5b00',
    warningColorHover: '#7d4a00',
    warningColorPressed: '#633a00',
    errorColor: '#c0262d',
    errorColorHover: '#a01f25',
    errorColorPressed: '#80191e',
    bodyColor: '#f5f7f8',
    cardColor: '#ffffff',
    modalColor: '#ffffff',
    popoverColor: '#ffffff',
    tableHeaderColor: '#f3f5f7',
    borderColor: '#d8dee4',
    dividerColor: '#e6eaee',
    textColorBase: '#0f1b24',
    textColor1: '#0f1b24',
    textColor2: '#26343f',
    textColor3: '#566573',
    placeholderColor: '#667481',
    textColorDisabled: '#6f7c88',
    iconColor: '#566573',
    clearColor: '#667481',
  },
}

const dark: GlobalThemeOverrides = {
  common: {
    ...shared,
    primaryColor: '#4fd1c0',
    primaryColorHover: '#74ddd0',
    primaryColorPressed: '#3bb8a8',
    primaryColorSuppl: '#2aa597',
    infoColor: '#7ab2ff',
    infoColorHover: '#9cc6ff',
    successColor: '#5fce8b',
    successColorHover: '#83daa6',
    warningColor: '#f2b65a',
    warningColorHover: '#f6c981',
    errorColor: '#ff8087',
    errorColorHover: '#ffa1a6',
    bodyColor: '#0d1216',
    cardColor: '#151c22',
    modalColor: '#1a2229',
    popoverColor: '#1d262e',
    tableHeaderColor: '#1a2229',
    borderColor: '#2c3843',
    dividerColor: '#25303a',
    textColorBase: '#ffffff',
    textColor1: '#eef2f5',
    textColor2: '#d5dde4',
    textColor3: '#9aa8b4',
    placeholderColor: '#8a98a5',
    textColorDisabled: '#7f8d99',
    iconColor: '#9aa8b4',
    clearColor: '#8a98a5',
  },
}
