/** How fast and how available a model was, in short figures; what is unknown is left out. */
import { useI18n } from 'vue-i18n'
import type { ModelSpeed } from '../../api/catalogue.js'
import { secondsText, shareText } from './about-text.js'

export type Speed = Omit<ModelSpeed, 'model_name'>

export function useSpeedText() {
  const { t } = useI18n()
  return (speed: Speed | undefined): readonly string[] => {
    if (speed === undefined) return []
    const { tokens_per_second, first_token_ms, availability } = speed
    return [
      tokens_per_second === null ? '' : t('catalogue.perSecond', { count: tokens_per_second }),
      first_token_ms === null
        ? ''
        : t('catalogue.firstAfter', { time: secondsText(first_token_ms) }),
      availability === null ? '' : t('catalogue.available', { share: shareText(availability) }),
    ].filter((part) => part !== '')
  }
}
