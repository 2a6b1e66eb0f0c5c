/** Public pages: home, notices, about, and the texts people agree to. */
import { defineModule } from '../../shell/module.js'

export default defineModule({
  id: 'site',
  routes: [
    {
      path: '/',
      name: 'home',
      title: { en: 'Home', zh: '首页' },
      frame: 'site',
      role: 0,
      page: () => import('./home/home-page.vue'),
    },
    {
      path: '/notice',
      name: 'notice',
      title: { en: 'Notices', zh: '公告' },
      frame: 'site',
      role: 0,
      page: () => import('./notice-page.vue'),
    },
    {
      path: '/about',
      name: 'about',
      title: { en: 'About', zh: '关于' },
      frame: 'site',
      role: 0,
      page: () => import('./about-page.vue'),
    },
    {
      // As one path with a name in it, since the header of public pages lists those without.
      path: '/:document(user-agreement|privacy-policy)',
      name: 'legal',
      title: { en: 'Terms', zh: '条款' },
      frame: 'site',
      role: 0,
      page: () => import('./legal-page.vue'),
    },
  ],
  texts: { en: () => import('./locales/en.js'), zh: () => import('./locales/zh.js') },
})
