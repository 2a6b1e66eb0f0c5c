/** Options and their groups in the language of the person. Manifests speak English; what has no other words keeps them. */
import { computed, shallowRef, watch } from 'vue'
import { useI18n } from 'vue-i18n'
import type { Option } from '../../api/options.js'
import { locale } from '../../shell/i18n.js'
import { shippedText } from '../../ui/shipped-texts.js'
import type { OptionGroup } from './sections.js'

type ByKey = Readonly<Record<string, string>>

const chinese = shallowRef<{ readonly titles: ByKey; readonly helps: ByKey }>()

watch(
  locale,
  async (tag) => {
    if (tag !== 'zh' || chinese.value !== undefined) return
    const [titles, helps] = await Promise.all([
      import('./locales/zh-titles.js'),
      import('./locales/zh-helps.js'),
    ])
    chinese.value = { titles: titles.default, helps: helps.default }
  },
  { immediate: true },
)

const words = computed(() => (locale.value === 'zh' ? chinese.value : undefined))

export function useOptionWords() {
  const { t, te } = useI18n()
  return {
    titleOf: ({ key, title }: Option) => words.value?.titles[key] ?? shippedText(title),
    helpOf: ({ key, help = '' }: Option) => words.value?.helps[key] ?? shippedText(help),
    groupTitle({ id, title }: OptionGroup): string {
      const key = `options.groups.${id.replace(/\W/g, '_')}`
      return te(key) ? t(key) : shippedText(title)
    },
    /** A value there is to choose. */
    choiceText(value: string): string {
      if (value === '') return t('options.unset')
      const key = `options.choices.${value}`
      return te(key) ? t(key) : value
    },
  }
}
