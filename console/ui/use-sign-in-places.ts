/** The other places one can sign in by, in the language of whoever looks at them. */
import { useQuery } from '@tanstack/vue-query'
import { computed } from 'vue'
import { readOAuthProviders } from '../api/oauth.js'
import { learnTexts, shippedText } from './shipped-texts.js'

export function useSignInPlaces() {
  const query = useQuery({
    queryKey: ['oauth', 'providers'],
    queryFn: readAndLearn,
    staleTime: 60_000,
  })
  const data = computed(() =>
    query.data.value?.map((place) => ({ ...place, title: shippedText(place.title) })),
  )
  return { ...query, data }
}

async function readAndLearn() {
  const places = await readOAuthProviders()
  for (const { translations } of places) learnTexts(translations)
  return places
}
