/** Words beside a password that is chosen. */
import type { Words } from '../../shell/module.js'
import type { Strength } from './password-strength.js'

export const strengthTexts: Readonly<Record<Strength, Words>> = {
  none: {
    en: 'At least 8 characters. A few unrelated words are better than one with signs in it.',
    zh: '至少 8 个字符。几个不相关的词比一个带符号的词更好。',
  },
  short: { en: 'Too short: at least 8 characters.', zh: '太短：至少 8 个字符。' },
  weak: {
    en: 'Easy to guess, or among those found in breaches. It is not taken.',
    zh: '容易被猜到，或已出现在泄露的密码中，不能使用。',
  },
  fair: { en: 'Fair. Longer is better.', zh: '尚可，越长越好。' },
  strong: { en: 'Strong.', zh: '强度高。' },
}
