/** Words around prices of models, for the price list and for what upstreams charge. */
import { inWords } from '../../shell/i18n.js'
import type { Words } from '../../shell/module.js'
import type { Column } from './columns.js'
import type { Mode } from './entry.js'
import type { FigureFault } from './row-edit.js'

const modes: Readonly<Record<Mode, Words>> = {
  ratio: { en: 'Per tokens', zh: '按 token' },
  price: { en: 'Per call', zh: '按次' },
  card: { en: 'Rate card', zh: '价目卡' },
  free: { en: 'Free', zh: '免费' },
  none: { en: 'No price', zh: '无价格' },
}

const columns: Readonly<Record<Column, Words>> = {
  input: { en: 'Input', zh: '输入' },
  output: { en: 'Output', zh: '输出' },
  cacheRead: { en: 'Cache read', zh: '缓存读取' },
  cacheWrite: { en: 'Cache write', zh: '缓存写入' },
  imageInput: { en: 'Image in', zh: '图像输入' },
  audioInput: { en: 'Audio in', zh: '音频输入' },
  audioOutput: { en: 'Audio out', zh: '音频输出' },
  call: { en: 'Call', zh: '每次' },
}

const faults: Readonly<Record<FigureFault, Words>> = {
  noFigure: { en: 'Not a figure', zh: '不是数字' },
  needsInput: { en: 'Needs an input price', zh: '需要先有输入价格' },
  tooFine: { en: 'Too many digits', zh: '位数过多' },
  needed: { en: 'Needs a figure', zh: '请填写数字' },
}

export function modeWord(mode: Mode): string {
  return inWords(modes[mode])
}

export function columnWord(column: Column): string {
  return inWords(columns[column])
}

export function figureFaultWord(fault: FigureFault): string {
  return inWords(faults[fault])
}
