"""Which dated version of the contract a client is answered by."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("web", "0003_api_client")]

    operations = [
        migrations.AddField(
            model_name="apiclient",
            name="api_version",
            # The only version that there was when the clients before this were registered.
            field=models.CharField(default="2026-04-01", max_length=10),
            preserve_default=False,
        )
    ]
