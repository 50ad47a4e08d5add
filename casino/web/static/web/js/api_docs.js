/* Draws the published description of the API; an access token that is typed in is kept nowhere. */

const place = document.getElementById("description");

window.SwaggerUIBundle({
  url: place.dataset.address,
  domNode: place,
  presets: [window.SwaggerUIBundle.presets.apis],
  layout: "BaseLayout",
  deepLinking: true,
});
