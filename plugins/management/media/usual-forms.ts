/** What requests may have where no manifest states it: of images, whose adapters are no task types, and of clips. */
import type { RequestField, RequestForm, Translations } from '../../../kernel/contract/manifest.js'

const prompt: RequestField = { name: 'prompt', type: 'text', long: true, title: 'Prompt' }

export const usualForms: readonly RequestForm[] = [
  { operation: 'video', fields: [prompt] },
  {
    operation: 'images',
    fields: [
      { ...prompt, required: true },
      { name: 'n', type: 'number', integer: true, min: 1, max: 10, title: 'Images' },
      { name: 'size', type: 'text', title: 'Size', help: 'For example 1024x1024.' },
      { name: 'quality', type: 'text', title: 'Quality', help: 'For example high or hd.' },
    ],
  },
]

export const usualTranslations: Translations = {
  zh: {
    Prompt: '提示词',
    Images: '图片数量',
    Size: '尺寸',
    'For example 1024x1024.': '例如 1024x1024。',
    Quality: '质量',
    'For example high or hd.': '例如 high 或 hd。',
  },
}
