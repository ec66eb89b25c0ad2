import java.io.File;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.californium.core.CoapClient;
import org.eclipse.californium.core.coap.Request;
import org.eclipse.californium.core.config.CoapConfig;
import org.eclipse.californium.core.network.CoapEndpoint;
import org.eclipse.californium.elements.config.Configuration;
import org.eclipse.californium.elements.config.UdpConfig;

/** Sends confirmable requests to servers on loopback with Californium and the properties that RTOscope wrote. */
public class Client {
    public static void main(String[] arguments) throws Exception {
        CoapConfig.register();
        UdpConfig.register();
        int count = Integer.parseInt(arguments[0]);
        List<Thread> threads = new ArrayList<>();
        for (int n = 1; n < arguments.length; n++) {
            String uri = "coap://127.0.0.1:" + arguments[n] + "/t";
            Thread thread = new Thread(() -> send(uri, count));
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.exit(0);
    }

    private static void send(String uri, int count) {
        Configuration configuration = Configuration.createStandardWithFile(new File("Californium3.properties"));
        CoapEndpoint endpoint = new CoapEndpoint.Builder()
            .setConfiguration(configuration)
            .setInetSocketAddress(new InetSocketAddress("127.0.0.1", 0))
            .build();
        CoapClient client = new CoapClient(uri);
        client.setEndpoint(endpoint);
        client.setTimeout(0L);
        try {
            for (int n = 0; n < count; n++) {
                if (client.advanced(Request.newGet()) == null) {
                    System.err.println("no answer");
                    System.exit(1);
                }
            }
        } catch (Exception error) {
            System.err.println(error);
            System.exit(1);
        }
    }
}
