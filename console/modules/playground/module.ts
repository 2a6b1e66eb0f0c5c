/** Trying models without writing code (UI-1). */
import { MessagesSquare } from '@lucide/vue'
import { defineModule } from '../../shell/module.js'

const title = { en: 'Playground', zh: '演练场' }

export default defineModule({
  id: 'playground',
  routes: [
    {
      path: '/playground',
      name: 'playground',
      title,
      frame: 'app',
      role: 1,
      page: () => import('./playground-page.vue'),
    },
    {
      path: '/playground/media',
      name: 'playground-media',
      title,
      frame: 'app',
      role: 1,
      page: () => import('./media/media-page.vue'),
    },
  ],
  menu: [{ route: 'playground', title, icon: MessagesSquare, section: 'use', order: 20, role: 1 }],
  texts: { en: () => import('./locales/en.js'), zh: () => import('./locales/zh.js') },
})
