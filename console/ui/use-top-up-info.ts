/** What can be bought and how, in the language of whoever looks at it. */
import { useQuery } from '@tanstack/vue-query'
import { computed } from 'vue'
import { type Gateway, readTopUpInfo } from '../api/payments.js'
import { learnTexts, shippedText } from './shipped-texts.js'

export function useTopUpInfo() {
  const query = useQuery({ queryKey: ['payments', 'info'], queryFn: readAndLearn })
  const data = computed(() => {
    const info = query.data.value
    return info && { ...info, gateways: info.gateways.map(translated) }
  })
  return { ...query, data }
}

async function readAndLearn() {
  const info = await readTopUpInfo()
  for (const { translations } of info.gateways) learnTexts(translations)
  return info
}

function translated(gateway: Gateway): Gateway {
  const { title, methods, products } = gateway
  return {
    ...gateway,
    title: shippedText(title),
    methods: methods.map((one) => ({ ...one, title: shippedText(one.title) })),
    products: products.map((one) => ({ ...one, title: shippedText(one.title) })),
  }
}
